// Paths in a square of 24 by 24 units, drawn for this console.
const shapes = {
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  check: 'M5 13l4 4L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  edit: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  key: 'M8 12a4 4 0 1 0 0 .1M12 12h9M18 12v4M15 12v3',
  users:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 20c0-4 3-6 6-6s6 2 6 6M16 5.5a3.5 3.5 0 0 1 0 6.5M17 14c2.5.5 4 2.5 4 6',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 20c0-4 4-6 8-6s8 2 8 6',
  chart: 'M4 4v16h16M8 16v-4M12 16V8M16 16v-6',
  chat: 'M4 5h16v11H10l-4 4v-4H4z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  database:
    'M12 3c4.5 0 7 1.3 7 3s-2.5 3-7 3-7-1.3-7-3 2.5-3 7-3zM5 6v12c0 1.7 2.5 3 7 3s7-1.3 7-3V6M5 12c0 1.7 2.5 3 7 3s7-1.3 7-3',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13 5l-2 14',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  moon: 'M20 14a8 8 0 1 1-10-10 6.5 6.5 0 0 0 10 10z',
  logout: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  chevron: 'M9 6l6 6-6 6',
  warning: 'M12 4l9 16H3zM12 10v5M12 17.500v.5',
  sparkle: 'M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2z',
  thumbUp:
    'M7 11v9H4v-9zM7 11l4-7c1.500 0 2.500 1 2.500 2.500V10H19a1.500 1.500 0 0 1 1.500 1.800l-1.300 6.800a1.700 1.700 0 0 1-1.700 1.400H7',
  thumbDown:
    'M17 13V4h3v9zM17 13l-4 7c-1.500 0-2.500-1-2.500-2.500V14H5a1.500 1.500 0 0 1-1.500-1.800l1.300-6.800A1.700 1.700 0 0 1 6.500 4H17',
  star: 'M12 4l2.500 5.200 5.500.800-4 4 1 5.800-5-2.800-5 2.800 1-5.800-4-4 5.500-.800z',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  refresh: 'M20 11a8 8 0 1 0-1 5M20 4v7h-7',
  pin: 'M9 4h6l-1 6 4 4H6l4-4zM12 14v6',
  retry: 'M5 12a7 7 0 1 0 2-5M5 4v4h4',
  share: 'M12 15V4M8 8l4-4 4 4M6 12v8h12v-8',
  stop: 'M7 7h10v10H7z',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  globe:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 4 6 4 9s-1 6-4 9c-3-3-4-6-4-9s1-6 4-9z',
} as const;

export type IconName = keyof typeof shapes;

/** A decorative icon. It always stands next to a text, so screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      width="20"
      height="20"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
