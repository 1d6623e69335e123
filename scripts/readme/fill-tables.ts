import { planIds, plans } from '../../src/credits/plans.ts';
import { fileErrorCodes, requestErrorCodes } from '../../src/errors.ts';
import { errorAnswers } from '../../src/http/error-answers.ts';
import { MAX_PIXELS, MAX_SIDE } from '../../src/image/budget.ts';
import { avifQuality, vp8Quality } from '../../src/image/formats/quality.ts';
import { limits, MIB } from '../../src/limits.ts';
import measured from '../calibrate/measured.json' with { type: 'json' };
import { markdownTable as table } from '../markdown-table.ts';
import { fileErrorMeanings, requestErrorMeanings } from './error-meanings.ts';

/** The highest settings that were tried: where even these did not look as good as JPEG, bytes say nothing. */
const LAST_SETTING = { webp: 100, avif: 99 } as const;

const count = (value: number) => value.toLocaleString('en-GB');
const yes = (value: boolean) => (value ? 'yes' : 'no');

const share = ({ setting, bytes }: { setting: number; bytes: number }, last: number) =>
  setting < last ? `${Math.round(bytes * 100)} %` : 'not reached';

/** Every generated table by the name that its markers in docs/api.md carry. */
const tables: Readonly<Record<string, () => string>> = {
  limits: () =>
    table(
      ['Limit', 'Value'],
      [
        ['Files in one request', limits.files],
        ['One file', `${limits.fileBytes / MIB} MB`],
        ['One picture', `${count(MAX_PIXELS / 1e6)} megapixels, ${count(MAX_SIDE)} pixels a side`],
        ['maxWidth, maxHeight', `1 to ${count(limits.outputSide)} pixels`],
        ['Watermark', `PNG, ${limits.watermarkBytes / MIB} MB, ${limits.watermarkPixels / 1e6} megapixels`],
        ['sessionId, aiContext, seoKeywords, Idempotency-Key', `${limits.textCharacters} characters`],
        ['A file name', `${limits.sentNameCharacters} characters; more are cut`],
        ['Parts of one form', limits.parts],
        ['Header of one part', `${limits.partHeaderBytes / 1024} KiB`],
        ['All text of one form, names of files included', `${limits.formTextBytes / 1024} KiB`],
        [
          'Least rate of an upload',
          `${limits.uploadBytesPerSecond / 1024} KiB a second, ${limits.crowdedBytesPerSecond / 1024} while all places for uploads are taken; pauses of ${limits.uploadPauseSeconds} seconds are free and earned back`,
        ],
        ['An upload is kept', `${limits.uploadKeepSeconds / 60} minutes`],
        ['Longest upload of one request', `${limits.uploadSeconds / 60} minutes`],
        ['An answer kept under its Idempotency-Key', `${limits.idempotencySeconds / 3600} hours`],
        [
          'A key that was revoked still works elsewhere',
          `at most ${limits.keyCacheSeconds} seconds; ${limits.keyTrustSeconds / 60} minutes while the database gives no answer`,
        ],
        ['Requests of one address refused for their key', `${limits.refusalsPerMinute} a minute`],
      ],
    ),
  plans: () =>
    table(
      [
        'Plan',
        'Compressions a month',
        'AI credits a month',
        'Watermark',
        'AI',
        'API keys',
        'CPU-seconds an hour on files that fail',
        'Requests at once',
        'Uploads kept at once',
      ],
      planIds.map((id) => {
        const plan = plans[id];
        return [
          id,
          count(plan.compressions),
          count(plan.aiCredits),
          yes(plan.watermark),
          yes(plan.ai),
          yes(plan.apiKeys),
          count(plan.failedCpuSeconds),
          `${plan.requestsAtOnce}, of which ${plan.requestsAtOnce / 2} uploading`,
          `${count(plan.uploadBytes / MIB)} MB`,
        ];
      }),
    ),
  quality: () =>
    table(
      ['`quality`', 'mozjpeg', 'our VP8', 'libaom', "WebP's bytes", "AVIF's bytes"],
      measured.map(({ quality, webp, avif }) => [
        quality,
        quality,
        Number(vp8Quality(quality).toFixed(1)),
        avifQuality(quality),
        share(webp, LAST_SETTING.webp),
        share(avif, LAST_SETTING.avif),
      ]),
    ),
  errors: () =>
    table(
      ['Status', '`error`', 'When'],
      requestErrorCodes.map((code) => {
        const { status, text } = errorAnswers[code];
        return [status, `\`${text ?? code}\``, requestErrorMeanings[code]];
      }),
    ),
  'file-errors': () =>
    table(
      ['`error`', 'What it says of the file'],
      fileErrorCodes.map((code) => [`\`${code}\``, fileErrorMeanings[code]]),
    ),
};

/**
 * The page with every generated table as the source has it now; all else stays as it is.
 * @throws Error when a table has no markers in the text
 */
export function fillTables(page: string): string {
  return Object.entries(tables).reduce((text, [name, make]) => {
    const markers = new RegExp(`(<!-- table: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`);
    if (!markers.test(text)) throw new Error(`The page lacks the markers of the table "${name}".`);
    return text.replace(markers, (_, start: string, end: string) => `${start}${make()}${end}`);
  }, page);
}

/** A text of another page with the tables that it names, as `<!-- table: limits -->` on a line of its own. @throws Error when there is none of the name */
export function placeTables(text: string): string {
  return text.replace(/^<!-- table: ([\w-]+) -->$/gm, (_, name: string) => {
    const make = tables[name];
    if (make === undefined) throw new Error(`There is no table "${name}".`);
    return make();
  });
}
