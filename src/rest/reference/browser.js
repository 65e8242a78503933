// What the page can do besides being read: find calls, copy requests, name the server that it came from.

const filter = document.querySelector('#filter');
const found = document.querySelector('[role=status]');
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
  found.textContent = words.length === 0 ? '' : count === 1 ? '1 call' : `${count} calls`;
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

for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;

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
