import type { See, Show } from './visible-text.js';

/** A kind of file that Waymark knows by its ending or its content type. */
export interface Format {
  /** The name in messages: "The markdown is nested too deeply". */
  readonly name: string;
  /** Media type, in lower case, without parameters. */
  readonly contentType: string;
  /** Other media types for the same format. */
  readonly aliases?: readonly string[];
  /** File name endings in lower case, without the dot. */
  readonly endings: readonly string[];
}

/** A format whose files are cut into passages and embedded. All other files are only stored. */
export interface IndexedFormat extends Format {
  /**
   * The module whose default export is the format's `Parse`. It decides how a file is cut and what is embedded. It is a
   * URL because threads load it, on first use: the table itself loads no parser.
   */
  readonly parser: URL;
  /** Loads what tells the text of a passage from its markup; undefined if a reader sees all of it. */
  readonly see?: () => Promise<See>;
  /** Loads what leaves out of a passage what nobody sees; undefined if a reader sees all of it. */
  readonly show?: () => Promise<Show>;
  /** Whether `indexFolder` picks up these files. Otherwise they are indexed when uploaded or given to `indexFile`. */
  readonly inFolders: boolean;
}

/** The content type of a file of no known format. */
const UNKNOWN = 'application/octet-stream';

/** Finds formats by file name and by content type. */
export class FormatTable {
  /** The format of a text without a known ending. */
  readonly #fallback: IndexedFormat;
  readonly #indexed: readonly IndexedFormat[];
  readonly #byEnding: ReadonlyMap<string, Format>;
  readonly #byContentType: ReadonlyMap<string, Format>;

  constructor(formats: readonly (Format | IndexedFormat)[], options: { readonly fallback: IndexedFormat }) {
    this.#fallback = options.fallback;
    this.#indexed = formats.filter(isIndexed);
    this.#byEnding = new Map(formats.flatMap((format) => format.endings.map((ending) => [ending, format] as const)));
    this.#byContentType = new Map(
      formats.flatMap((format) =>
        [format.contentType, ...(format.aliases ?? [])].map((type) => [type, format] as const),
      ),
    );
  }

  /** Content types of the indexed formats, without aliases. */
  get indexedContentTypes(): readonly string[] {
    return this.#indexed.map(({ contentType }) => contentType);
  }

  /** Endings, with their dots, of the files that `indexFolder` picks up. */
  get folderEndings(): readonly string[] {
    return this.#indexed.filter(({ inFolders }) => inFolders).flatMap(({ endings }) => endings.map((one) => `.${one}`));
  }

  /** The content type of a key by its ending; `application/octet-stream` for an unknown one. */
  contentTypeOf(key: string): string {
    return this.#ofEnding(key)?.contentType ?? UNKNOWN;
  }

  /** The format that a content type names, with or without parameters; undefined if its files are not indexed. */
  indexedAs(contentType: string): IndexedFormat | undefined {
    return onlyIndexed(this.#ofContentType(contentType));
  }

  /** How a text is read: by its content type, else by its key's ending, else as markdown. */
  ofText({ key, contentType }: { readonly key: string; readonly contentType?: string | undefined }): IndexedFormat {
    const named = contentType === undefined ? onlyIndexed(this.#ofEnding(key)) : this.indexedAs(contentType);
    return named ?? this.#fallback;
  }

  /** How a passage is read, by its file's content type: as markdown if that is unknown; undefined: as it stands. */
  async seeing(contentType?: string): Promise<See | undefined> {
    return this.#ofPassage(contentType)?.see?.();
  }

  /** How a passage is shown, by its file's content type: as markdown if that is unknown; undefined: as it stands. */
  async showing(contentType?: string): Promise<Show | undefined> {
    return this.#ofPassage(contentType)?.show?.();
  }

  /** Whether `indexFolder` picks up a file of this name. */
  isInFolders(name: string): boolean {
    return onlyIndexed(this.#ofEnding(name))?.inFolders ?? false;
  }

  #ofPassage(contentType = UNKNOWN): IndexedFormat | undefined {
    return onlyIndexed(this.#ofContentType(contentType) ?? this.#fallback);
  }

  #ofContentType(contentType: string): Format | undefined {
    const [type = ''] = contentType.split(';');
    return this.#byContentType.get(type.trim().toLowerCase());
  }

  #ofEnding(key: string): Format | undefined {
    const [, ending = ''] = /\.([^./]+)$/.exec(key) ?? [];
    return this.#byEnding.get(ending.toLowerCase());
  }
}

function onlyIndexed(format: Format | undefined): IndexedFormat | undefined {
  return format && isIndexed(format) ? format : undefined;
}

function isIndexed(format: Format | IndexedFormat): format is IndexedFormat {
  return 'parser' in format;
}
