/** Objects that all code of a process shares. A request must never change them. */
const SHARED: object[] = [
  ...[Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Error, Map, Set, Promise].flatMap(
    (type): object[] => [type, type.prototype],
  ),
  ...[JSON, Math, Reflect],
];

type Snapshot = Map<object, Map<string | symbol, PropertyDescriptor | undefined>>;

const isFunction = (value: unknown): value is object => typeof value === 'function';

const propertiesOf = (object: object) =>
  new Map(Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]));

/** The properties of shared objects, and of the functions that are their members. */
export function snapshot(): Snapshot {
  const members = SHARED.flatMap((object) =>
    [...propertiesOf(object).values()].flatMap((property) => [property?.value, property?.get, property?.set]),
  );
  const objects = new Set([...SHARED, ...members.filter(isFunction)]);
  return new Map([...objects].map((object) => [object, propertiesOf(object)]));
}

const isSame = (a: PropertyDescriptor | undefined, b: PropertyDescriptor | undefined): boolean =>
  Object.is(a?.value, b?.value) && a?.get === b?.get && a?.set === b?.set && a?.writable === b?.writable;

/** The names of properties that were added, removed or changed. */
export const differences = (before: Snapshot): string[] =>
  [...before].flatMap(([object, properties]) => {
    const now = propertiesOf(object);
    const names = new Set([...properties.keys(), ...now.keys()]);
    return [...names].filter((name) => !isSame(properties.get(name), now.get(name))).map(String);
  });
