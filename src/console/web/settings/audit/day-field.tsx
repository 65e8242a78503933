import { useEffect, useState } from 'react';
import { TextField } from '../../ui/text-field.tsx';

type DayFieldProps = { label: string; name: string; value: string; onDay: (day: string) => void };

/**
 * A date field. While the year is being typed the value passes through years such as 0002, so dates
 * before 1970 are not reported.
 */
export function DayField({ label, name, value, onDay }: DayFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const change = (day: string) => {
    setTyped(day);
    if (day === '' || day >= '1970') onDay(day);
  };
  return (
    <TextField
      label={label}
      name={name}
      type="date"
      max="9999-12-31"
      value={typed}
      onChange={({ target }) => change(target.value)}
    />
  );
}
