export const SUCCESS = 0;
export const NO_RESULTS = 1;
export const USAGE = 2;
export const NOT_INDEXED = 3;
export const FAILURE = 4;
