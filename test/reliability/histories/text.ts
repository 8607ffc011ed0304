/** Every passage of a text has the mark of its version, so that a mixture of two versions shows. */
function markOf(version: number): string {
  return `<v${String(version).padStart(4, '0')}>`;
}

/** A markdown text with two passages. With `padded`, no two versions have the same size. */
export function textOf(version: number, { padded = false } = {}): string {
  const mark = markOf(version);
  const long = `The beacon blinks ${mark}. ${'So on it goes. '.repeat(3)}`;
  return [`# Beacon ${mark}`, long, `## Part ${mark}`, long, padded ? '.'.repeat(version) : ''].join('\n\n');
}

/** The versions whose marks are in a text. */
export function versionsIn(text: string): number[] {
  return [...new Set([...text.matchAll(/<v(\d{4})>/g)].map(([, version]) => Number(version)))];
}

/** The files of an answer of which passages of two versions were found, and passages that mix two. */
export function mixtures({
  passages,
}: {
  readonly passages: readonly { readonly content: string; readonly file: { readonly key: string } }[];
}): string[] {
  const versions = new Map<string, Set<number>>();
  for (const { content, file } of passages) {
    const known = versions.get(file.key) ?? new Set();
    versions.set(file.key, known);
    for (const version of versionsIn(content)) known.add(version);
  }
  return [...versions].flatMap(([key, found]) =>
    found.size > 1 ? [`${key} in versions ${[...found].join(', ')}`] : [],
  );
}
