import { useState } from 'react';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, FilePicker, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { OfferCard, offerTitle } from '../../ui/offer-card.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { Loaded } from '../../ui/status.tsx';
import {
  SetSponsorBrandingDocument,
  SponsorBrandingDocument,
  type SponsorBrandingQuery,
} from '../documents.ts';
import { SectionTabs } from '../section-tabs.tsx';
import { type ChosenLogo, readLogo } from './read-logo.ts';

/** What the pages of the partner’s links show, with a preview. */
export function BrandingPage() {
  const answer = useGraphQuery(SponsorBrandingDocument, {}, { typenames: ['SponsorBranding'] });
  return (
    <>
      <PageHead title={t('branding.branding')} lead={t('branding.lead')} />
      <SectionTabs />
      <Loaded answer={answer} lines={8}>
        {({ sponsorBranding, organization }) => (
          <BrandingForm branding={sponsorBranding} organizationName={organization.name} />
        )}
      </Loaded>
    </>
  );
}

type BrandingFormProps = {
  branding: SponsorBrandingQuery['sponsorBranding'];
  organizationName: string;
};

const firstColor = '#3f4bb8';

function BrandingForm({ branding, organizationName }: BrandingFormProps) {
  const [displayName, setDisplayName] = useState(branding.displayName ?? '');
  const [sentence, setSentence] = useState(branding.sentence ?? '');
  const [accentColor, setAccentColor] = useState(branding.accentColor);
  // Undefined: the logo stays as it is stored. Null: it is removed.
  const [logo, setLogo] = useState<ChosenLogo | null>();
  const [logoError, setLogoError] = useState<string>();
  const { run, busy, fault } = useGraphMutation(SetSponsorBrandingDocument, {
    invalidates: ['SponsorBranding'],
    success: t('branding.saved'),
  });
  const save = async () => {
    const result = await run({
      displayName: displayName.trim() || null,
      sentence: sentence.trim() || null,
      accentColor,
      ...(logo !== undefined && { logo: logo?.base64 ?? null }),
    });
    if (result) setLogo(undefined);
  };
  const choose = async (files: File[]) => {
    const chosen = await readLogo(files[0]);
    setLogoError('error' in chosen ? chosen.error : undefined);
    if ('base64' in chosen) setLogo(chosen);
  };
  const logoUrl = logo === undefined ? branding.logoUrl : (logo?.url ?? null);
  return (
    <div className="sponsorship-pair">
      <Card title={t('branding.settings')}>
        <Form
          label={t('branding.branding')}
          onSubmit={save}
          action={{ busy, fault }}
          submit={t('branding.save')}
          guardsChanges
        >
          <TextField
            label={t('branding.displayName')}
            hint={t('branding.displayNameHint', { organizationName })}
            value={displayName}
            onText={setDisplayName}
            maxLength={80}
          />
          <TextField
            label={t('branding.sentence')}
            value={sentence}
            onText={setSentence}
            maxLength={200}
          />
          <CheckField
            label={t('branding.ownColor')}
            hint={t('branding.ownColorHint')}
            checked={accentColor !== null}
            onChange={({ target }) => setAccentColor(target.checked ? firstColor : null)}
          />
          {accentColor !== null && (
            <TextField
              type="color"
              label={t('branding.accentColor')}
              value={accentColor}
              onText={setAccentColor}
            />
          )}
          <fieldset className="sponsorship-logo">
            <legend>{t('branding.logo')}</legend>
            <p className="hint">{t('branding.logoHint')}</p>
            {logoError && (
              <p className="hint fault" role="alert">
                {logoError}
              </p>
            )}
            <div className="row">
              <FilePicker label={t('branding.logoFile')} icon="upload" onFiles={choose}>
                {t('branding.chooseLogo')}
              </FilePicker>
              {logoUrl && (
                <Button icon="close" onClick={() => setLogo(null)}>
                  {t('branding.removeLogo')}
                </Button>
              )}
            </div>
          </fieldset>
        </Form>
      </Card>
      <Card title={t('branding.preview')}>
        <Preview
          name={displayName.trim() || organizationName}
          branding={{ sentence: sentence.trim() || null, accentColor, logoUrl }}
        />
      </Card>
    </div>
  );
}

const previewMonths = 3;

/** The same parts as the page of a link, with the terms of an example. */
function Preview({
  name,
  branding,
}: {
  name: string;
  branding: { sentence: string | null; accentColor: string | null; logoUrl: string | null };
}) {
  const sponsoredUntil = new Date();
  sponsoredUntil.setMonth(sponsoredUntil.getMonth() + previewMonths);
  const offer = {
    sponsorName: name,
    campaignName: t('branding.exampleCampaign'),
    durationMonths: previewMonths,
    includedSeats: 5,
    sponsoredUntil: sponsoredUntil.toISOString(),
  };
  return (
    <>
      <p className="sponsorship-preview-title">{offerTitle(offer)}</p>
      <OfferCard offer={offer} brandedBy={{ name, branding }} />
    </>
  );
}
