import type { Render } from './rendering/render.js';
import type { See, Show } from './visible-text.js';

/** A kind of file that is cut into passages and embedded, known by its extension or its content type. */
export interface Format {
  /** The name in messages: "The markdown is nested too deeply". */
  readonly name: string;
  /** Media type, in lower case, without parameters. */
  readonly contentType: string;
  /** Other media types for the same format. */
  readonly aliases?: readonly string[];
  /** File name extensions in lower case, without the dot. */
  readonly extensions: readonly string[];
  /**
   * The module whose default export is the format's `Parse`. It decides how a file is cut and what is embedded. It is a
   * URL because parse processes load it, on first use: the table itself loads no parser.
   */
  readonly parser: URL;
  /** The module whose default export is the format's `Extract`; undefined if its files are text. */
  readonly extractor?: URL;
  /** Loads the function that finds the name of the encoding that a file declares; undefined if no file declares one. */
  readonly declaredEncoding?: () => Promise<(bytes: Uint8Array) => string | undefined>;
  /** Loads the function that separates the text of a passage from its markup; undefined if a reader sees all of it. */
  readonly see?: () => Promise<See>;
  /** Loads the function that leaves out what no reader sees of a passage; undefined if a reader sees all of it. */
  readonly show?: () => Promise<Show>;
  /** Whether what is shown of a passage still has markup, such as that of markdown. Defaults to false. */
  readonly isShownWithMarkup?: boolean;
  /** Loads what makes HTML of what is shown of a passage; undefined if that is lines of text. */
  readonly render?: () => Promise<Render>;
}

/** Finds formats by file name and by content type. */
export class FormatTable {
  /** The format of a text without a known extension. */
  readonly #fallback: Format;
  readonly #formats: readonly Format[];
  readonly #byExtension: ReadonlyMap<string, Format>;
  readonly #byContentType: ReadonlyMap<string, Format>;

  constructor(formats: readonly Format[], options: { readonly fallback: Format }) {
    this.#fallback = options.fallback;
    this.#formats = formats;
    this.#byExtension = new Map(
      formats.flatMap((format) => format.extensions.map((extension) => [extension, format] as const)),
    );
    this.#byContentType = new Map(
      formats.flatMap((format) =>
        [format.contentType, ...(format.aliases ?? [])].map((type) => [type, format] as const),
      ),
    );
  }

  /** Content types of all formats, without aliases. */
  get contentTypes(): readonly string[] {
    return this.#formats.map(({ contentType }) => contentType);
  }

  /** Extensions of all formats, with their dots. */
  get extensions(): readonly string[] {
    return this.#formats.flatMap(({ extensions }) => extensions.map((one) => `.${one}`));
  }

  /** The format of a key or file name by its extension, if any. */
  ofKey(key: string): Format | undefined {
    const [, extension = ''] = /\.([^./]+)$/.exec(key) ?? [];
    return this.#byExtension.get(extension.toLowerCase());
  }

  /** The format that a content type names, with or without parameters, if any. */
  ofContentType(contentType: string): Format | undefined {
    const [type = ''] = contentType.split(';');
    return this.#byContentType.get(type.trim().toLowerCase());
  }

  /** How a text is read: by its content type, else by its key's extension, else as markdown. */
  ofText({ key, contentType }: { readonly key: string; readonly contentType?: string | undefined }): Format {
    return (contentType === undefined ? this.ofKey(key) : this.ofContentType(contentType)) ?? this.#fallback;
  }

  /**
   * How a passage of a content type is read, as markdown if the type is unknown; undefined if a reader sees all of it.
   * With `isShown`, how a text that `shownText` has returned for such a passage is read.
   */
  async seeing(contentType = '', { isShown = false }: { readonly isShown?: boolean } = {}): Promise<See | undefined> {
    const { see, isShownWithMarkup } = this.ofContentType(contentType) ?? this.#fallback;
    if (isShown && see && !isShownWithMarkup) return (await import('./plain/visible-plain-text.js')).seeLines;
    return see?.();
  }

  /** How a passage of a content type is shown: as markdown if the type is unknown; undefined if it has no markup. */
  async showing(contentType = ''): Promise<Show | undefined> {
    return (this.ofContentType(contentType) ?? this.#fallback).show?.();
  }

  /** How what is shown of a passage becomes HTML, by its file's content type: as markdown if that is unknown. */
  async rendering(contentType = ''): Promise<Render> {
    const { render } = this.ofContentType(contentType) ?? this.#fallback;
    return (await render?.()) ?? (await import('./rendering/render-plain-text.js')).renderPlainText;
  }
}
