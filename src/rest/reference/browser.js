// The functions of the page: it filters calls, copies examples, marks the current item of the
// navigation, and shows the origin of the server.

const filter = document.querySelector('#filter');
const resultCount = document.querySelector('[role=status]');
const calls = [...document.querySelectorAll('[data-call]')];
const areas = [...document.querySelectorAll('[data-area]')];

function show() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const call of calls)
    call.hidden = !words.every((word) =>
      call.dataset[word.includes('/') ? 'path' : 'call'].includes(word),
    );
  for (const area of areas) area.hidden = !area.querySelector('[data-call]:not([hidden])');
  const count = document.querySelectorAll('article:not([hidden])').length;
  markCurrent();
  resultCount.textContent = words.length === 0 ? '' : count === 1 ? '1 call' : `${count} calls`;
}

document.querySelector('search').hidden = false;
filter.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  if (
    event.key !== '/' ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.target === filter
  )
    return;
  event.preventDefault();
  filter.focus();
});

for (const element of document.querySelectorAll('[data-origin]'))
  element.textContent = location.origin;

const nav = document.querySelector('nav');
const links = [...nav.querySelectorAll('a[href^="#"]')];
const targets = links.map((link) => document.getElementById(link.hash.slice(1)));
// The item is current when its target has come this near to the top of the window.
const nearTop = 112;
let waitsForFrame = false;

/** Marks the link of what is at the top of the window, and keeps it in view in the nav. */
function markCurrent() {
  waitsForFrame = false;
  let current;
  links.forEach((link, index) => {
    const target = targets[index];
    if (!target.closest('[hidden]') && target.getBoundingClientRect().top <= nearTop)
      current = link;
  });
  const marked = nav.querySelector('[aria-current]');
  if (marked === current) return;
  marked?.removeAttribute('aria-current');
  current?.setAttribute('aria-current', 'location');
  // On a narrow window the navigation does not scroll by itself.
  if (!current || nav.scrollHeight <= nav.clientHeight) return;
  const { top, bottom } = current.getBoundingClientRect();
  const frame = nav.getBoundingClientRect();
  if (top < frame.top) nav.scrollTop -= frame.top - top + 16;
  else if (bottom > frame.bottom) nav.scrollTop += bottom - frame.bottom + 16;
}

addEventListener(
  'scroll',
  () => {
    if (!waitsForFrame) requestAnimationFrame(markCurrent);
    waitsForFrame = true;
  },
  { passive: true },
);
markCurrent();

if (navigator.clipboard) {
  for (const figure of document.querySelectorAll('figure')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy: ${figure.getAttribute('aria-label')}`);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    figure.querySelector('figcaption').append(button);
  }
}
