// The part of @xenova/transformers that scripts/bundle.js puts into dist: its tokenizers and settings.
export { AutoTokenizer, env, type PreTrainedTokenizer } from '@xenova/transformers';
