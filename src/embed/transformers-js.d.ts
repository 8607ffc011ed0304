// The part of @xenova/transformers that scripts/bundle-transformers.js puts into dist: its tokenizers.
export { AutoTokenizer, PreTrainedTokenizer } from '@xenova/transformers';
