/**
 * English and German words that occur in nearly every passage and do not characterize it, normalized
 * as in `words.ts`.
 */
export const stopWords =
  'a about after all also am an and any are as at be because been before being both but by can could did do does doing each for from further had has ' +
  'have having he her here hers him his how i if in into is it its just me more most my no nor not now of off on once only or other our out over own ' +
  'same she should so some such than that the their them then there these they this those through to too under until up us very was we were what when ' +
  'where which while who whom why will with would you your may must shall get gets got much many ' +
  'aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem den der ' +
  'des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch fur hat hatte haben habe ' +
  'hier ich ihr ihre ihrem ihren ihrer im in ins ist jede jedem jeden jeder jedes kann kein keine keinen konnen mal man mein meine mich mir mit muss ' +
  'mussen nach nicht nichts noch nun nur ob oder ohne sein seine sich sie sind so soll sollen uber um und uns unser unsere unter vom von vor war waren ' +
  'was weil welche welcher welches wenn wer werden wie wir wird wo wurde wurden zu zum zur zwischen darf durfen gibt wann wieviel viel viele lange';
