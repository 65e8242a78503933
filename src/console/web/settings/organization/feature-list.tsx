import { Badge } from '../../ui/badge.tsx';
import { featureTexts } from './features.ts';

/** The features of the organization, for people who cannot change them. */
export function FeatureList({ features }: { features: readonly string[] }) {
  return (
    <>
      <p className="quiet">
        Platform support enables these features. Ask them for a feature that you need.
      </p>
      <ul className="settings-features">
        {featureTexts.map(({ feature, label, hint }) => {
          const isOn = features.includes(feature);
          return (
            <li key={feature}>
              <span>
                <strong>{label}</strong>
                <span className="hint">{hint}</span>
              </span>
              <Badge tone={isOn ? 'good' : 'plain'}>{isOn ? 'On' : 'Off'}</Badge>
            </li>
          );
        })}
      </ul>
    </>
  );
}
