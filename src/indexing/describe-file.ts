import { excessOfMetadata, excessOfTags } from '../domain/description.js';
import { describeExcess, type Excess } from '../domain/excess.js';
import type { Metadata, Tags } from '../domain/passage.js';
import type { Given } from './pipeline.js';

/** Tags and metadata of a file, with what of its front matter was left out, one sentence each. */
export interface FileDescription {
  readonly tags: Tags;
  readonly metadata: Metadata;
  readonly warnings: readonly string[];
}

/** The tags and metadata of the front matter, overridden by those of the caller, within the limits of a file. */
export function describeFile(frontMatter: Given, given: Given): FileDescription {
  const tags = { ...frontMatter.tags, ...given.tags };
  const metadata = { ...frontMatter.metadata, ...given.metadata };
  const [tagsExcess, metadataExcess] = [excessOfTags(tags), excessOfMetadata(metadata)];
  return {
    tags: tagsExcess ? given.tags : tags,
    metadata: metadataExcess ? given.metadata : metadata,
    warnings: [
      ...(tagsExcess ? [leftOut('tags', tagsExcess)] : []),
      ...(metadataExcess ? [leftOut('fields', metadataExcess)] : []),
    ],
  };
}

function leftOut(what: string, excess: Excess): string {
  return `${describeExcess(excess)}: the ${what} of the front matter are left out.`;
}
