import { plainText } from '../plain-text.ts';

/** UTF-16 units of a name that are looked at. */
const MOST_UNITS = 300;
/** UTF-16 units of a word: longer ones are keys, not words. */
const LONGEST_WORD = 30;

/** What cameras, telephones and programs put into names, in lower case: it says nothing of what a picture shows. */
const MACHINE_WORDS = new Set(
  (
    'img image images imagen imatge imagem immagine afbeelding bild obraz изображение 图片 画像 이미지 صورة ' +
    'photo photos foto fotos fotografia photograph pic pics picture pictures zdjęcie фото 照片 写真 사진 ' +
    'dsc dscf dscn dcim pxl mvimg pano gopr gopro dji sam csm cimg imgp mg pict kimg fsc vid mov burst cover portrait hdr ' +
    'screenshot screenshots screen shot capture captura pantalla capture bildschirmfoto schermata scan scanned scanner ' +
    'untitled unnamed unknown noname file document upload uploaded download downloaded attachment ' +
    'whatsapp telegram signal messenger snapchat instagram facebook fb received wa copy copia kopie copie final edited edit ' +
    'new old temp tmp test draft original orig thumb thumbnail resized compressed optimized web small large big crop cropped ' +
    'jpg jpeg png webp avif gif heic px dpi rgb cmyk at am pm'
  ).split(' '),
);

/** Keys that programs make: UUIDs and long hexadecimal numbers. */
const KEYS =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![\p{L}\p{N}])(?=[a-f]*[0-9])[0-9a-f]{6,}(?![\p{L}\p{N}])/giu;

/**
 * What a file's name says of its picture: its words without numbers, dates, keys and what cameras and programs put there.
 * @param name as sent, with or without folders and an extension
 * @returns undefined when no word is left
 */
export function nameTopic(name: string): string | undefined {
  const base = plainText(name.slice(-MOST_UNITS).replace(/^.*[/\\]/s, ''))
    .replace(/\.[a-z0-9]{2,5}$/i, '')
    .replace(KEYS, ' ');
  // Before the words of "goldenRetriever" are parted by their capitals, since keys mix capitals and digits.
  const words = base
    .split(/[^\p{L}\p{M}\p{N}'’·]+/u)
    .filter((part) => isTelling(part) && !/\p{N}/u.test(part))
    .flatMap((part) => part.split(/(?<=\p{Ll}{2})(?=\p{Lu})/u))
    .filter(isTelling);
  const topic = words.join(' ');
  return topic.length >= 2 && words.some(standsAlone) ? topic : undefined;
}

function isTelling(word: string): boolean {
  return word !== '' && word.length <= LONGEST_WORD && !MACHINE_WORDS.has(word.toLowerCase());
}

/** Whether a word can say what is seen: "of" and "DJ" cannot, 犬 can. */
function standsAlone(word: string): boolean {
  return word.length >= 3 || /^[\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}]+$/u.test(word);
}
