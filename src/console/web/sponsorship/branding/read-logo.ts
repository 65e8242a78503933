import { t } from '../../texts/text.ts';

/** A logo that the person has chosen, for the server and for the preview. */
export type ChosenLogo = { base64: string; url: string };

const bytesMax = 204_800;
const types = ['image/png', 'image/jpeg', 'image/webp'];

/** The server checks the content; this answers at once. */
export async function readLogo(file: File | undefined): Promise<ChosenLogo | { error: string }> {
  if (!file || !types.includes(file.type)) return { error: t('branding.wrongType') };
  if (file.size > bytesMax) return { error: t('branding.tooLarge') };
  const url = await dataUrlOf(file);
  return { base64: url.slice(url.indexOf(',') + 1), url };
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
