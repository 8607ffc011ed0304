import { MIN_PASSAGE_TOKENS } from '../contract/engine/passage-tokens.js';
import { WaymarkError } from '../domain/errors.js';
import type { ModelCard } from '../embed/embedder.js';
import type { CuttingOptions } from '../formats/parser.js';
import type { EngineOptions } from './engine-options.js';

/** Maximum tokens of text in a passage, if the caller gives none: docs/decisions/008-passage-size.md. */
const PASSAGE_TOKENS = 192;

/** How texts are cut for a model. Throws `INVALID_ARGUMENT`. */
export function cuttingOf(
  options: Pick<EngineOptions, 'passageTokens' | 'embedBreadcrumb'>,
  { maxTokens }: ModelCard,
): CuttingOptions {
  const { passageTokens = Math.min(PASSAGE_TOKENS, maxTokens), embedBreadcrumb = true } = options;
  if (passageTokens >= MIN_PASSAGE_TOKENS && passageTokens <= maxTokens) {
    return { budget: passageTokens, embedBreadcrumb };
  }
  const range = `an integer from ${MIN_PASSAGE_TOKENS} to ${maxTokens}`;
  throw new WaymarkError('INVALID_ARGUMENT', `passageTokens must be ${range}; it is ${passageTokens}.`);
}
