// The functions of the page: it filters calls, copies examples, and shows the origin of the server.

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
