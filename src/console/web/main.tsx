import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { applyTheme } from './frame/theme.ts';
import { preload } from './sections.tsx';
import './ui/base.css';
import './ui/components.css';
import './ui/print.css';

applyTheme();
// Loads the section's code in parallel with the session query.
preload(location.pathname);
const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
