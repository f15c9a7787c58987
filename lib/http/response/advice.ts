/** Advice beside an answer of success, in the header of this name, on filters that were taken as they are written and probably meant otherwise. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Filter, type Filters, filterNamed, isOfPart } from '../../users/filters.ts';

/** The most filters that are advised on, and the most characters of the parameters for one: headers have 10,240 bytes in all. */
const MOST_ADVISED = 3;
const MOST_SENT = 400;

/** Marks of any text in other APIs, and joints of several values. A name from elsewhere has a `|` of its own. */
const WILDCARD = /[*%]/;
const JOINTS = { externalId: /,/, any: /,/ } as const;
const OTHER_JOINTS = /[,;|]/;

/** Values by which other APIs mean none. */
const NONE = /^(?:null|nil|undefined|""|'')$/i;

interface Sent {
  name: string;
  filter: Filter;
}

const parameter = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`;

/** A filter that finds texts with a mark of any text as other APIs do. */
function withoutWildcards({ name, filter: { property, asks } }: Sent, value: string): string[] {
  const parts = value.split(WILDCARD);
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  const inner = parts.filter((part) => part !== '');
  if (asks === 'not') return [];
  if (asks !== 'is') return inner.length > 0 ? [parameter(name, inner.join(' '))] : [];
  if (inner.length === 0) return [`${property}.missing=false`];
  const middle = inner.filter((part) => part !== first && part !== last);
  return [
    ...(first === '' ? [] : [parameter(`${property}.startsWith`, first)]),
    ...middle.map((part) => parameter(`${property}.contains`, part)),
    ...(last === '' || parts.length === 1 ? [] : [parameter(`${property}.endsWith`, last)]),
  ];
}

/** The parameters to send in place of one with such a value. None if there are none. */
function inPlaceOf(sent: Sent, value: string, joint: RegExp): string[] {
  const { name, filter } = sent;
  if (filter.asks === 'words') {
    const words = value.replaceAll(/[*%,"]+|^\w+:/g, ' ').trim();
    return words === '' ? [] : [parameter(name, words.replaceAll(/\s+/g, ' '))];
  }
  const values = value.split(joint).map((each) => each.trim());
  return values
    .filter((each) => each !== '')
    .flatMap((each) => (WILDCARD.test(each) ? withoutWildcards(sent, each) : [parameter(name, each)]));
}

/** The advice on one value of a filter. Undefined if it is one as any other. */
function adviceOnValue(sent: Sent, value: string): string | undefined {
  const { name, filter } = sent;
  const { property, asks } = filter;
  if ((asks === 'is' || asks === 'not') && NONE.test(value) && filterNamed(`${property}.missing`))
    return `${name} is compared with this text: for users ${asks === 'is' ? 'without' : 'with'} a value send ${property}.missing=${asks === 'is'}`;
  const joint = Object.hasOwn(JOINTS, property) ? JOINTS[property as keyof typeof JOINTS] : OTHER_JOINTS;
  const mark = WILDCARD.exec(value)?.[0] ?? joint.exec(value)?.[0];
  if (!mark && !(asks === 'words' && /^\w+:/.test(value))) return undefined;
  const said = `The ${mark ?? ':'} in ${name} is a part of the value`;
  const send = inPlaceOf(sent, value, joint).join('&');
  return send === '' || send.length > MOST_SENT ? said : `${said}: send ${send}`;
}

/** A `.not` with such a value leaves nobody out, so users are no sign that it was understood. */
const isAdvised = ({ asks }: Filter, isEmpty: boolean): boolean =>
  asks === 'not' || (isEmpty && (asks === 'is' || asks === 'words' || isOfPart(asks)));

/** Filters without a value, which count as absent. */
function blanksOf({ multiValueQueryStringParameters }: APIGatewayProxyEvent): string[] {
  const given = Object.entries(multiValueQueryStringParameters ?? {});
  const blank = given.filter(
    ([name, values]) => values?.every((value) => value === '') && filterNamed(`${name}.missing`),
  );
  return blank.map(
    ([name]) => `${name} is blank, so it is no filter: for users without a value send ${name}.missing=true`,
  );
}

/** @param isEmpty whether nobody matches */
export function adviceOn(event: APIGatewayProxyEvent, filters: Filters, isEmpty: boolean): Record<string, string> {
  const advices = Object.entries(filters).flatMap(([name, given]) => {
    const filter = filterNamed(name);
    if (!filter || !isAdvised(filter, isEmpty)) return [];
    const texts = [given].flat().filter((value) => typeof value === 'string');
    return texts.map((text) => adviceOnValue({ name, filter }, text)).find((each) => each !== undefined) ?? [];
  });
  const all = [...advices, ...blanksOf(event)].slice(0, MOST_ADVISED);
  return all.length > 0 ? { advice: all.join('. ') } : {};
}
