import { Badge } from '../../ui/badge.tsx';
import { featureTexts } from './features.ts';

/** What is switched on, for who can not change it. */
export function FeatureList({ features }: { features: readonly string[] }) {
  return (
    <>
      <p className="quiet">
        Platform support switches these on and off; ask them for what you miss.
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
