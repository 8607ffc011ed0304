const ADDRESS = /^dendron:\/\/[^\s|]+/;

/** The name of a note with its folders, as in `dev.design#overview`. A version, as in `v1.2.3`, is not such a name. */
const NAME = /^(?!v?\d)[a-z\d_-]+(?:\.[a-z\d_-]+)+(?:#[^|]*)?$/;

/** One dot before what may be an extension: `app.json`. */
const FILE_NAME = /^[^.]+\.[a-z\d]{1,4}$/;

/** Whether the second part of a wikilink is its target, as in Dendron; other programs write the target first. */
export function isTargetSecond(first: string, second: string): boolean {
  return ADDRESS.test(second) || (NAME.test(second) && !FILE_NAME.test(second) && !NAME.test(first));
}
