import { type Description, excessOfMetadata, excessOfTags } from '../domain/description.js';
import { describeExcess, type Excess } from '../domain/excess.js';

/** The tags and metadata of a file after its front matter was read. */
export interface DescribedFile extends Description {
  /** What was left out of its front matter, one sentence each. */
  readonly warnings: readonly string[];
}

/** The tags and metadata of the front matter, overridden by those of the caller, within the limits of a file. */
export function describeFile(frontMatter: Description, given: Description): DescribedFile {
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
