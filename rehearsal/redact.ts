/** The URL without its password, wherever that stands. Any other text comes back as it is. */
export function redactUrl(text: string): string {
  if (!text.includes('://')) return text;
  try {
    const url = new URL(text);
    if (url.password !== '') url.password = '***';
    for (const name of url.searchParams.keys()) {
      if (/password/i.test(name)) url.searchParams.set(name, '***');
    }
    return url.href;
  } catch {
    // What cannot be parsed cannot be redacted either: it is not repeated.
    return '(a URL that cannot be read)';
  }
}
