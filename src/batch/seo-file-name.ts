/** Characters of a name, its `-2` included (interface); the extension comes on top of it. */
const LONGEST = 60;

/**
 * The file name for an SEO name. One that is in `taken` gets `-2`, `-3` …, for which words at its end give way where it would
 * be too long; the name returned is put there.
 * @param name lowercase words joined by hyphens, as `seoName` makes them
 * @param extension without its dot
 */
export function seoFileName(name: string, extension: string, taken: Set<string>): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? '' : `-${count}`;
    const fileName = `${shortened(name, LONGEST - end.length)}${end}.${extension}`;
    if (taken.has(fileName)) continue;
    taken.add(fileName);
    return fileName;
  }
}

function shortened(name: string, longest: number): string {
  let kept = name;
  while ([...kept].length > longest && kept.includes('-')) kept = kept.slice(0, kept.lastIndexOf('-'));
  return [...kept].slice(0, longest).join('');
}
