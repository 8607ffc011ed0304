/**
 * Query number i, another text for each i: the questions one after the other, then again with a word appended, so that no
 * embedding of an earlier query is at hand.
 */
export function freshQueries(questions: readonly string[]): (i: number) => string {
  const words = [...new Set(questions.flatMap((question) => question.toLowerCase().match(/\p{L}{4,}/gu) ?? []))];
  return (i) => {
    const question = questions[i % questions.length] ?? '';
    const round = Math.floor(i / questions.length);
    if (round > words.length) throw new RangeError(`there are no ${i} different queries`);
    return round === 0 ? question : `${question} ${words[round - 1]}`;
  };
}
