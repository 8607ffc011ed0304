// What is used of umap-js. The build replaces this module by a bundle: see scripts/bundle.js.
export { UMAP } from 'umap-js';
