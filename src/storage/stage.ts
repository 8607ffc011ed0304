/**
 * What the time of a search is spent on: `embed` computes the query's embedding; `vectors` and `postings` find
 * candidates; `features` reads their length and kind; `read` reads the hits with their neighbours.
 */
export type Stage = 'embed' | 'vectors' | 'postings' | 'features' | 'read';

/** Called with the milliseconds of a part of a search; several times a stage. */
export type OnStage = (stage: Stage, milliseconds: number) => void;
