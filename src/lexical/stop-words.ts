/** English words that stand in most questions and tell passages apart in none; apostrophes are gone, as in terms. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after all also am an and any are arent as at be because been before being but by can cannot cant could couldnt
   did didnt do does doesnt doing dont during each either few for from further get gets getting got had has hasnt have
   havent having he her here hers him his how i id if ill im in into is isnt it its itself ive just let lets like may me
   might mine more most must my myself no nor not of off on once one only or other our ours out over own per please rather
   same shall she should shouldnt so some somehow something such than that thats the their theirs them then there these
   they theyre this those through to too under until up upon us very was wasnt way we were werent what whats when where
   which while who whom whose why will with within without wont would wouldnt yes you your youre yours`.split(/\s+/),
);
