import { t } from '../texts/text.ts';
import { EmptyState } from '../ui/status.tsx';

export function FilesDisabled() {
  return (
    <EmptyState title={t('vault.filesNotEnabled')}>{t('vault.filesNotEnabledHint')}</EmptyState>
  );
}
