import type { Language } from '../language.ts';
import type { Phrasebook } from './phrasebook.ts';
import { arabic } from './phrasebooks/arabic.ts';
import { catalan } from './phrasebooks/catalan.ts';
import { chinese } from './phrasebooks/chinese.ts';
import { dutch } from './phrasebooks/dutch.ts';
import { english } from './phrasebooks/english.ts';
import { french } from './phrasebooks/french.ts';
import { german } from './phrasebooks/german.ts';
import { hindi } from './phrasebooks/hindi.ts';
import { italian } from './phrasebooks/italian.ts';
import { japanese } from './phrasebooks/japanese.ts';
import { korean } from './phrasebooks/korean.ts';
import { polish } from './phrasebooks/polish.ts';
import { portuguese } from './phrasebooks/portuguese.ts';
import { russian } from './phrasebooks/russian.ts';
import { spanish } from './phrasebooks/spanish.ts';

const phrasebooks: Readonly<Record<Language, Phrasebook>> = {
  English: english,
  Español: spanish,
  Català: catalan,
  Français: french,
  Deutsch: german,
  Italiano: italian,
  Português: portuguese,
  Nederlands: dutch,
  Polski: polish,
  Русский: russian,
  中文: chinese,
  日本語: japanese,
  한국어: korean,
  Arabic: arabic,
  Hindi: hindi,
};

/** The phrasebook of a language. */
export function phrasebookOf(language: Language): Phrasebook {
  return phrasebooks[language];
}
