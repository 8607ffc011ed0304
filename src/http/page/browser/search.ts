// The search page: answers as one types, unfolds neighbours, and is used with the keyboard. Without this script, the
// form and the links do the same. All HTML is made by the service.

/** Milliseconds without another key after which a search begins. */
const PAUSE = 150;

const form = document.querySelector<HTMLFormElement>('#search');
const field = document.querySelector<HTMLInputElement>('#query');
const results = document.querySelector('#results');
const status = document.querySelector('#status');
const back = document.querySelector<HTMLAnchorElement>('#back');

if (form && field) {
  answerAsOneTypes(form);
  field.setSelectionRange(field.value.length, field.value.length);
}
document.addEventListener('click', unfold);
document.addEventListener('keydown', onKeyDown);

function answerAsOneTypes(form: HTMLFormElement): void {
  let pause: number | undefined;
  let running: AbortController | undefined;
  // What was asked with Enter stays in the history; what one types replaces itself.
  const enter = (address: string) => {
    if (address === location.pathname + location.search) return;
    if (history.state?.isAsked) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  };
  const answer = async () => {
    clearTimeout(pause);
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const address = addressOf(form);
    enter(`/${address}`);
    results?.classList.add('stale');
    const nodes = await fetchPart(`/page/results${address}`, signal);
    if (signal.aborted) return;
    results?.classList.remove('stale');
    results?.replaceChildren(...nodes);
    if (status) status.textContent = results?.querySelector('.summary')?.textContent ?? '';
    document.title = field?.value ? `${field.value} · Waymark` : 'Waymark';
  };
  form.addEventListener('input', () => {
    offerAnotherTag(form);
    clearTimeout(pause);
    pause = setTimeout(answer, PAUSE);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    answer();
    history.replaceState({ isAsked: true }, '');
  });
  // Another bot has other folders and tags.
  form.querySelector('#bot')?.addEventListener('change', () => location.assign(`/${addressOf(form)}`));
  addEventListener('popstate', () => location.reload());
  // What was typed before this script was loaded.
  if (field && field.value !== field.defaultValue) answer();
}

/** Shows a field for another tag once the last one is filled in. */
function offerAnotherTag(form: HTMLFormElement): void {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[name=tag]')];
  const field = inputs.at(-1)?.closest('.field');
  if (!field || inputs.at(-1)?.value === '') return;
  const another = field.cloneNode(true) as Element;
  const [label, input] = [another.querySelector('label'), another.querySelector('input')];
  if (!label || !input) return;
  input.value = '';
  input.id = `tag-${inputs.length}`;
  label.htmlFor = input.id;
  label.textContent = 'and tag';
  field.after(another);
}

/** The fields that are filled in, as the query of an address. */
function addressOf(form: HTMLFormElement): string {
  const filled = [...new FormData(form)].filter(([, value]) => value !== '') as [string, string][];
  return filled.length > 0 ? `?${new URLSearchParams(filled)}` : '';
}

/** What the service answers, as nodes; or a sentence if it does not answer. */
async function fetchPart(address: string, signal?: AbortSignal): Promise<Node[]> {
  try {
    const response = await fetch(address, signal ? { signal } : {});
    // A request that no page can answer, such as one with too long an address, is refused in JSON.
    if (response.headers.get('content-type')?.includes('json')) return [noticeOf((await response.json()).message)];
    const part = new DOMParser().parseFromString(await response.text(), 'text/html');
    return [...part.body.childNodes];
  } catch {
    return [noticeOf('The service does not answer. Start it again: waymark ui')];
  }
}

function noticeOf(sentence: string): HTMLElement {
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.role = 'alert';
  notice.textContent = sentence;
  return notice;
}

/** Puts a neighbour in place of the link to it. */
async function unfold(event: MouseEvent): Promise<void> {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-part]');
  if (!link?.dataset.part || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const nodes = await fetchPart(link.dataset.part);
  const next = nodes.find((node) => node instanceof HTMLAnchorElement);
  link.replaceWith(...nodes);
  next?.focus();
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { key, target } = event;
  const isInField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (key === '/' && !isInField && field) {
    event.preventDefault();
    field.focus();
    field.select();
  } else if (key === 'Escape') {
    if (back) back.click();
    else if (target !== field) field?.focus();
    else {
      // Some browsers empty the field.
      event.preventDefault();
      field?.select();
    }
  } else if ((key === 'ArrowDown' || key === 'ArrowUp') && (!isInField || target === field)) {
    if (moveFocus(key === 'ArrowDown' ? 1 : -1)) event.preventDefault();
  }
}

/** Moves the focus to the next or previous result; from the first one back to the field. */
function moveFocus(step: 1 | -1): boolean {
  const results = [...document.querySelectorAll<HTMLAnchorElement>('.result h2 a')];
  const current = results.findIndex((link) => link.closest('.result')?.contains(document.activeElement));
  const next = results[current + step];
  if (next) {
    next.focus();
    next.closest('.result')?.scrollIntoView({ block: 'nearest' });
  } else if (step < 0 && current === 0) field?.focus();
  return next !== undefined || (step < 0 && current === 0);
}
