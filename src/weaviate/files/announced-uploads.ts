import {
  EXPIRED_ADDRESS_LIFETIME,
  type FileChanges,
  OPEN_ADDRESSES,
  type UploadAddress,
} from '../../storage/file-records.js';
import type { AnnouncedUpload, FileHead } from './file-head.js';

/** The changes of an upload that was announced just now. */
const NONE: FileChanges = { tags: {}, metadata: {} };

/** A head with one more upload announced; without those that are older than any open address. */
export function withAnnounced<Head extends Pick<FileHead, 'announced'>>(
  head: Head,
  { hash, expiresAt }: UploadAddress,
): Head {
  const others = announcedBut(head, hash).filter(({ until }) => until > Date.now());
  const until = Date.parse(expiresAt) + EXPIRED_ADDRESS_LIFETIME;
  return { ...head, announced: [...others.slice(1 - OPEN_ADDRESSES), { hash, until, changes: NONE }] };
}

/** The uploads that are announced for a file, except for one. */
export function announcedBut({ announced = [] }: Pick<FileHead, 'announced'>, hash?: string): AnnouncedUpload[] {
  return announced.filter((one) => one.hash !== hash);
}

/** The uploads that are announced for a file, with one more change of its description. */
export function changedAnnounced({ announced = [] }: FileHead, changes: FileChanges): AnnouncedUpload[] {
  return announced.map((one) => ({ ...one, changes: merged(one.changes, changes) }));
}

/** What has been changed since an upload was announced. */
export function changesSince({ announced = [] }: FileHead, hash: string): FileChanges {
  return announced.find((one) => one.hash === hash)?.changes ?? NONE;
}

/** One change that does what two do, one after the other. */
function merged(first: FileChanges, second: FileChanges): FileChanges {
  return {
    tags: { ...first.tags, ...second.tags },
    metadata: { ...first.metadata, ...second.metadata },
    accessPolicies: second.accessPolicies ?? first.accessPolicies,
    expiresAt: second.expiresAt === undefined ? first.expiresAt : second.expiresAt,
  };
}
