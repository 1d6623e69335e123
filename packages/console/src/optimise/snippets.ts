import { optionFields } from '@plume/client';
import { callOptions, type Options } from './options.ts';

/** The chosen work as a line for a shell. */
export function curlSnippet(chosen: Options, origin: string): string {
  const fields = [...optionFields(callOptions(chosen))].map(([name, value]) => `-F ${shellWord(`${name}=${value}`)}`);
  const watermark = chosen.watermark ? [`-F ${shellWord(`watermarkFile=@${chosen.watermark.name}`)}`] : [];
  const lines = [
    `curl ${shellWord(`${origin}/api/compress`)}`,
    '-H "Authorization: Bearer $PLUME_API_KEY"',
    ...fields,
    ...watermark,
    '-F file=@photo.jpg',
  ];
  return lines.join(' \\\n  ');
}

/** The same in JavaScript, with the client. */
export function scriptSnippet(chosen: Options, origin: string): string {
  const { watermark, ...rest } = callOptions(chosen);
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== false);
  const lines = given.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  if (watermark) {
    const { scale, opacity, position } = watermark;
    const file = `await openAsBlob(${JSON.stringify(chosen.watermark?.name)})`;
    lines.push(`  watermark: { file: ${file}, scale: ${scale}, opacity: ${opacity}, position: '${position}' },`);
  }
  return [
    "import { openAsBlob } from 'node:fs';",
    "import { Plume } from '@plume/client';",
    '',
    `const plume = new Plume({ apiKey: process.env.PLUME_API_KEY, baseUrl: '${origin}' });`,
    "const photo = { name: 'photo.jpg', content: await openAsBlob('photo.jpg') };",
    'const { results, failures } = await plume.compress([photo], {',
    ...lines,
    '});',
    'for (const { item } of results) console.log(item.newName, item.downloadUrl);',
  ].join('\n');
}

function shellWord(text: string): string {
  return /^[\w@=./:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
