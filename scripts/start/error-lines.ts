import { stripVTControlCharacters } from 'node:util';

/**
 * Picks the real errors out of wrangler's standard error: from a line that reports an error to the next report of another
 * kind. Warnings and notes stay in the log.
 * @returns a function that takes the stream's chunks as they come
 */
export function errorLines(show: (line: string) => void): (chunk: string) => void {
  let rest = '';
  let inError = false;
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.map(stripVTControlCharacters)) {
      if (/\[(wrangler:)?error\]|^\s*(✘|Uncaught )/i.test(line)) inError = true;
      else if (/\[(wrangler:\w+|warning)\]|^\{/i.test(line)) inError = false;
      if (inError && line.trim() !== '') show(line);
    }
  };
}
