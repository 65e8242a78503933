import './avatar.css';

export const avatarColors = [
  'GRAY',
  'RED',
  'ORANGE',
  'GREEN',
  'TEAL',
  'BLUE',
  'PURPLE',
  'PINK',
] as const;
export type AvatarColor = (typeof avatarColors)[number];

type AvatarProps = {
  id: string;
  name: string;
  /** Null: a colour that depends on the id, so it is the same on every page. */
  color: AvatarColor | null;
  size?: 'plain' | 'large';
};

/** The initials of a name on its colour. The name stands beside it, so screen readers skip it. */
export const Avatar = ({ id, name, color, size = 'plain' }: AvatarProps) => (
  <span
    className={`avatar avatar-${(color ?? colorOf(id)).toLowerCase()}${size === 'large' ? ' avatar-large' : ''}`}
    aria-hidden="true"
  >
    {initialsOf(name)}
  </span>
);

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last].map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}

function colorOf(id: string): AvatarColor {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return avatarColors[sum % avatarColors.length] ?? 'BLUE';
}
