import { textColorOn } from './text-color.ts';

export type Branding = {
  sentence: string | null;
  accentColor: string | null;
  logoUrl: string | null;
};

/** The sponsor’s logo, name and sentence on its colour. The text is black or white, as fits. */
export function SponsorBand({ name, branding }: { name: string; branding: Branding }) {
  const { sentence, accentColor, logoUrl } = branding;
  if (sentence === null && accentColor === null && logoUrl === null) return null;
  const colors = accentColor
    ? { backgroundColor: accentColor, color: textColorOn(accentColor) }
    : undefined;
  return (
    <div className="sponsored-band" style={colors}>
      {logoUrl && (
        <span className="sponsored-logo">
          {/* The name stands beside it. */}
          <img src={logoUrl} alt="" />
        </span>
      )}
      <div>
        <p className="sponsored-sponsor">{name}</p>
        {sentence && <p>{sentence}</p>}
      </div>
    </div>
  );
}
