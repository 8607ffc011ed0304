// The part of @xenova/transformers that scripts/bundle.js puts into dist: its tokenizers.
export { AutoTokenizer, PreTrainedTokenizer } from '@xenova/transformers';
