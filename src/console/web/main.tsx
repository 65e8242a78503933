import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { showWantedTheme } from './frame/theme.ts';
import { preload } from './sections.tsx';
import './ui/ground.css';
import './ui/kit.css';

showWantedTheme();
// Beside the question who asks, not after it.
preload(location.pathname);
const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
