import { render } from 'preact';
import { App } from './app.tsx';
import { speak, wishedLanguage } from './language/text.ts';
import { startSession } from './session/session.ts';
import './styles/tokens.css';
import './styles/elements.css';
import './styles/controls.css';
import './styles/frame.css';
import './styles/optimise.css';
import './styles/compare.css';
import './styles/pages.css';

// Over plain http a key would be read on its way, and no session would be kept. (Browsers trust localhost without.)
if (!isSecureContext) location.replace(location.href.replace(/^http:/, 'https:'));

await speak(wishedLanguage()).catch(() => {
  // Without the language's table the page speaks English.
});
render(<App />, document.getElementById('app')!);
startSession();
