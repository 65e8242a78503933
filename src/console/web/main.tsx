// First, so that the styles of a part win over the general ones.
import './ui/base.css';
import './ui/components.css';
import './ui/shell.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { applyTheme } from './frame/theme.ts';
import { preload } from './sections.tsx';
import { startLanguage } from './texts/language.ts';
import { loadTexts } from './texts/messages.ts';
import './ui/print.css';

// The Back button can show a page from the memory of the browser, with the data of a person who has
// signed out since.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  document.documentElement.hidden = true;
  location.reload();
});
applyTheme();
startLanguage();
// Loads the section in parallel with the session query.
void preload(location.pathname);
await loadTexts('page');
const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
