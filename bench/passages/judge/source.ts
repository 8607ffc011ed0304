import { type Line, type Scan, scanLines } from './lines.js';
import { type Unseen, unseenIn } from './unseen.js';

/** A range of a source, in UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A markdown file as the judge reads it. */
export class Source {
  readonly text: string;
  readonly mdx: boolean;
  readonly scan: Scan;
  /** What a reader does not see, in order. */
  readonly unseen: readonly Unseen[];

  constructor(key: string, text: string) {
    this.text = text;
    this.mdx = key.endsWith('.mdx');
    this.scan = scanLines(text, { mdx: this.mdx, whole: true });
    this.unseen = unseenIn(text, this.scan, this);
  }

  /** The lines that a range shares characters with. */
  linesIn({ start, end }: Range): readonly Line[] {
    return this.scan.lines.filter((line) => line.start < end && line.end > start);
  }

  /** The parts of the unseen that are in a range. */
  unseenIn({ start, end }: Range): readonly Unseen[] {
    return this.unseen
      .filter((one) => one.start < end && one.end > start)
      .map((one) => ({ ...one, start: Math.max(one.start, start), end: Math.min(one.end, end) }));
  }
}
