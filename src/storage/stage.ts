/**
 * The stages of a search: `embed` computes the query's embedding; `vectors` and `postings` find candidates; `features`
 * reads their lengths and subtypes; `read` reads the hits with their neighbours.
 */
export type Stage = 'embed' | 'vectors' | 'postings' | 'features' | 'read';

/** Called with the milliseconds that a part of a search took. A stage may be reported several times. */
export type OnStage = (stage: Stage, milliseconds: number) => void;
