import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useViewer } from '../../session/session.tsx';

export type RecentPage = { path: string; title: string };

const storageNameOf = (personId: string) => `atrium.recent-pages.${personId}`;
const recentMax = 6;

/**
 * The pages that the person has seen in this tab, the last one first, with their titles. They are
 * forgotten when the person signs out.
 */
export function useRecentPages(): readonly RecentPage[] {
  const [path] = useLocation();
  const storageName = storageNameOf(useViewer().person.id);
  const [pages, setPages] = useState(() => readPages(storageName));
  const latest = useRef<string>(undefined);
  useEffect(() => {
    const add = () => {
      const title = titleOfPage();
      if (title === undefined) return;
      latest.current = title;
      setPages((known) => {
        const others = known.filter((page) => page.path !== path);
        const all = [{ path, title }, ...others].slice(0, recentMax);
        sessionStorage.setItem(storageName, JSON.stringify(all));
        return all;
      });
    };
    // Until another page is loaded, the title is that of the page before it.
    if (titleOfPage() !== latest.current) add();
    // A page sets its title when it is shown, and again when its data are there.
    const element = document.querySelector('title');
    const observer = new MutationObserver(add);
    if (element) observer.observe(element, { childList: true });
    return () => observer.disconnect();
  }, [path, storageName]);
  return pages;
}

/** The name of the page in “Name · Atrium”. */
const titleOfPage = (): string | undefined => /^(.+) · Atrium$/.exec(document.title)?.[1];

function readPages(storageName: string): RecentPage[] {
  const stored: unknown = JSON.parse(sessionStorage.getItem(storageName) ?? '[]');
  return Array.isArray(stored) ? stored.filter(isRecentPage) : [];
}

const isRecentPage = (value: unknown): value is RecentPage => {
  const { path, title }: { path?: unknown; title?: unknown } = Object(value);
  return typeof path === 'string' && typeof title === 'string';
};
