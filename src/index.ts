/**
 * Waymark: local semantic search over markdown.
 *
 *     import { openEngine } from 'waymark';
 *
 *     const engine = await openEngine({ database: '.waymark/waymark.db' });
 *     await engine.indexFolder('docs');
 *     const { passages } = await engine.searchFiles({ query: 'How do I rotate the keys?' });
 *     await engine.close();
 */

// First: in a bundle it says what is wrong before other modules fail.
import './embed/unbundled.js';

export type { Administration } from './accounts/administration.js';
export type { WaymarkClient } from './client/client.js';
export { type ClientOptions, createClient } from './client/create-client.js';
export { type Configuration, type DeclaredFolder, readConfiguration } from './configuration/configuration.js';
export type { BotOperations } from './contract/bot-operations.js';
export type { HighlightOptions, ShownHtmlOptions, ShownTextOptions } from './contract/engine/display.js';
export type { IndexFileOptions } from './contract/engine/index-file.js';
export type { AddFolderOptions } from './contract/engine/index-folder.js';
export { MIN_PASSAGE_TOKENS } from './contract/engine/passage-tokens.js';
export type { EmbeddedPassagesOptions, SearchOptions, SimilarOptions } from './contract/engine/search.js';
export type { PageMeta } from './contract/fields/page.js';
export type { Mode } from './contract/fields/query.js';
export { tagFilterOf } from './contract/fields/tag-conditions.js';
export type { FileOperations } from './contract/file-operations.js';
export { validateName } from './contract/names.js';
export type { Bot, BotDetails, ListBotsRequest } from './contract/operations/bots.js';
export type {
  AccessPolicy,
  File,
  FileStatus,
  ListFilesRequest,
  UpdateFileMetadataRequest,
  UploadFileRequest,
  UpsertFileRequest,
} from './contract/operations/files.js';
export type { StoredKnowledgeBase } from './contract/operations/knowledge-bases.js';
export type { FilePassage, PassageToSet } from './contract/operations/passages.js';
export type {
  ContextItem,
  FoundPassage,
  MatchPosition,
  SearchFilesRequest,
  SearchFilesResponse,
} from './contract/operations/search.js';
export type { WorkspaceDetails } from './contract/operations/workspaces.js';
export type { ListTokensOptions, Token } from './contract/tokens.js';
export { counted, shownNumber, shownSize } from './contract/wording.js';
export type { WorkspaceOperations } from './contract/workspace-operations.js';
export type { Workspace } from './contract/workspaces.js';
export type { AnswerComparison } from './copy/compare-answers.js';
export type { CopiedBot, CopyProgress } from './copy/copy-bot.js';
export { type CopyOptions, type CopyPlace, type CopyResult, copyDatabase } from './copy/copy-database.js';
export type { CopiedFiles } from './copy/copy-files.js';
export type { Examination, ExamineOptions } from './doctor/examination.js';
export { examine } from './doctor/examine.js';
export type { Finding } from './doctor/finding.js';
export type { Abortable } from './domain/abortable.js';
export { WaymarkError, type WaymarkErrorCode } from './domain/errors.js';
export { isGlob, literalGlob } from './domain/filters/path-filter.js';
export type { TagFilter, TagOperators, TagValues } from './domain/filters/tag-filter.js';
export type {
  Addends,
  Breadcrumb,
  EmbeddedPassage,
  Explanation,
  FileSummary,
  Hit,
  Metadata,
  Passage,
  Position,
  Subtype,
  Tags,
} from './domain/passage.js';
export type { CountTokens, Embedder, ModelCard, TokenCounterSource } from './embed/embedder.js';
export { createHashEmbedder } from './embed/hash-embedder.js';
export type { CardFields } from './embed/model/model.js';
export { type ModelLocation, type ModelSource, openEmbedder } from './embed/open-embedder.js';
export type { SearchEngine } from './engine/engine.js';
export type { EngineOptions } from './engine/engine-options.js';
export type { EngineStatus } from './engine/engine-status.js';
export type { FolderOutcome, IndexFoldersOptions, KnownFolder, PlacedFolder } from './engine/folders/known-folder.js';
export type { Watcher, WatchOptions } from './engine/folders/watcher.js';
export { openEngine } from './engine/open-engine.js';
export { type ReembedOptions, type ReembedResult, reembed } from './engine/reembedding/reembed.js';
export { createIncomingEvent, type IncomingEventInput } from './event/create-incoming-event.js';
export type { FileSearch, SearchedPassage } from './event/file-search.js';
export type {
  EventDirection,
  EventKnowledge,
  EventState,
  EventTags,
  EventTrigger,
  IncomingEvent,
} from './event/incoming-event.js';
export type { KnowledgeBase, KnowledgeRecord, KnowledgeResult } from './event/knowledge.js';
export { renderTemplate } from './event/render-template.js';
export { type WithKnowledgeOptions, withKnowledge } from './event/with-knowledge.js';
export { formats } from './formats/formats.js';
export type { HostOptions } from './host/bot-engines.js';
export type { BotFiles } from './host/bot-files.js';
export type { BotIndex } from './host/bot-index.js';
export type { Host } from './host/host.js';
export { openHost } from './host/open-host.js';
export type { StoredContent } from './host/stored-content.js';
export type { FolderChanges } from './indexing/folder/changes.js';
export type { Failure } from './indexing/folder/walk.js';
export type { IndexFileResult } from './indexing/index-file.js';
export type { IndexFolderOptions, IndexFolderResult } from './indexing/index-folder.js';
export type { IndexProgress } from './indexing/progress.js';
export { MAX_SHOWN_TEXT } from './search/display/beginning.js';
export type { Highlight } from './search/display/highlight.js';
export { shownHtml } from './search/display/shown-html.js';
export { shownText } from './search/display/shown-text.js';
export type { Role } from './storage/accounts.js';
export type { FolderRecord, TagRule } from './storage/folders.js';
export type { FileText, RemoveOptions } from './storage/passage-store.js';
export type { OnStage, Stage } from './storage/search-stage.js';
export type { IndexKind } from './vectors/vector-index.js';
export type { ClusterOptions, Consistency } from './weaviate/connection/cluster-options.js';
