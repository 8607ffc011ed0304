// What the build takes out of @xenova/transformers (scripts/bundle-transformers.js): its tokenizers and settings.
export { AutoTokenizer, env, type PreTrainedTokenizer } from '@xenova/transformers';
