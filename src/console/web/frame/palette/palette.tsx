import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession, useViewer } from '../../session/session.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { FaultNote } from '../../ui/status.tsx';
import { chooseTheme, useTheme } from '../theme.ts';
import {
  actionsFor,
  navigationEntries,
  type PaletteEntry,
  type PaletteGroup,
  type PalettePage,
  paletteGroups,
  subpagesFor,
} from './palette-entries.ts';
import type { RecentPage } from './recent-pages.ts';
import { useFavorites, usePaletteObjects } from './use-palette-objects.ts';
import './palette.css';
import { t } from '../../texts/text.ts';

type PaletteProps = {
  pages: readonly PalettePage[];
  recentPages: readonly RecentPage[];
  onShowCode: () => void;
  onClose: () => void;
};

/**
 * Finds pages, actions and objects by typing, and opens them. The focus stays in the field
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
 */
export function Palette({ pages, recentPages, onShowCode, onClose }: PaletteProps) {
  const viewer = useViewer();
  const { signOut } = useSession();
  const [path, go] = useLocation();
  const isDark = useTheme() === 'dark';
  const [typed, setTyped] = useState('');
  const [activeId, setActiveId] = useState<string>();
  const found = usePaletteObjects(typed);
  const favorites = useFavorites();
  const groups = paletteGroups(
    typed,
    {
      favorites,
      recentPages: recentPages.filter((page) => page.path !== path),
      pages: [...navigationEntries(pages), ...subpagesFor(viewer)],
      actions: actionsFor(viewer, {
        isDark,
        toggleTheme: () => chooseTheme(isDark ? 'light' : 'dark'),
        showCode: onShowCode,
        signOut,
      }),
    },
    found.groups,
  );
  const entries = groups.flatMap((group) => group.entries);
  const chosen = entries.find((entry) => entry.id === activeId) ?? entries[0];

  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    if (typeof entry.target === 'string') go(entry.target);
    else entry.target();
  };
  const move = (by: number) => {
    const current = chosen ? entries.indexOf(chosen) : 0;
    setActiveId(entries[(current + by + entries.length) % Math.max(1, entries.length)]?.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.nativeEvent.isComposing) return;
    if (key === 'ArrowDown') move(1);
    else if (key === 'ArrowUp') move(-1);
    else if (key === 'Enter') choose(chosen);
    else return;
    event.preventDefault();
  };
  const id = useId();
  return (
    <Dialog title={t('palette.goTo')} open onClose={onClose}>
      <div className="palette">
        <input
          type="search"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-label={t('palette.inputLabel')}
          placeholder={t('palette.inputHint')}
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? optionId(id, entries.indexOf(chosen)) : undefined}
          maxLength={200}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <FaultNote fault={found.fault} />
        <Entries id={id} groups={groups} chosen={chosen} onChoose={choose} />
        {entries.length === 0 && !found.isSearching && (
          <p className="quiet">{t('palette.nothingFound')}</p>
        )}
        <p className="sr-only" role="status">
          {found.isSearching ? '' : t('palette.entryCount', { count: entries.length })}
        </p>
      </div>
    </Dialog>
  );
}

const optionId = (id: string, index: number) => `${id}-${index}`;

type EntriesProps = {
  id: string;
  groups: readonly PaletteGroup[];
  chosen: PaletteEntry | undefined;
  onChoose: (entry: PaletteEntry) => void;
};

function Entries({ id, groups, chosen, onChoose }: EntriesProps) {
  const list = useRef<HTMLDivElement>(null);
  const all = groups.flatMap(({ entries }) => entries);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen entry is another element
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={t('palette.entries')}
      className="palette-list"
    >
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, and a fieldset is for fields
        <div key={title} role="group" aria-label={title}>
          <div className="palette-group" aria-hidden="true">
            {title}
          </div>
          {entries.map((entry) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
            <div
              key={entry.id}
              id={optionId(id, all.indexOf(entry))}
              role="option"
              aria-selected={entry === chosen}
              className="palette-option"
              // The field would lose the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(entry)}
            >
              <Icon name={entry.icon} />
              <span>
                {entry.label} {entry.hint && <span className="hint">{entry.hint}</span>}
              </span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
