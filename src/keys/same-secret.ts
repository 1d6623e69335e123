/** Whether two secrets are the same. Compares digests, which have one length, so that the time taken tells nothing about them. */
export async function sameSecret(a: string, b: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const [left, right] = await Promise.all([digest(a), digest(b)]);
  return crypto.subtle.timingSafeEqual(left, right);
}

/** The entry whose token this is. Compares with every one, so that the time taken does not tell which it nearly was. */
export async function ownerOfToken<Entry extends { readonly token: string }>(
  sent: string,
  entries: readonly Entry[],
): Promise<Entry | undefined> {
  const same = await Promise.all(entries.map(({ token }) => sameSecret(sent, token)));
  return entries[same.indexOf(true)];
}
