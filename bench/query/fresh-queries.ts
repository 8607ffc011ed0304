/**
 * Queries by number, each text different, so that none has a cached embedding: the questions in turn, then again with a
 * word appended. Throws `RangeError` when the words run out.
 */
export function freshQueries(questions: readonly string[]): (i: number) => string {
  const words = [...new Set(questions.flatMap((question) => question.toLowerCase().match(/\p{L}{4,}/gu) ?? []))];
  return (i) => {
    const question = questions[i % questions.length] ?? '';
    const round = Math.floor(i / questions.length);
    if (round > words.length) throw new RangeError(`there are fewer than ${i + 1} different queries`);
    return round === 0 ? question : `${question} ${words[round - 1]}`;
  };
}
