/** The composition root of what sends changes as events. */
import { createEventBridge, createEventBridgeSink } from '../events/eventBridge.ts';
import { createFileSink } from '../events/file.ts';
import { createSender } from '../events/sender.ts';
import { optionalVariable, requiredVariable } from '../ground/index.ts';
import { database } from './database.ts';

/** Instead of the bus, where there is none. */
const file = optionalVariable('EVENTS_FILE');

const { runtime } = database;

const sink =
  file === undefined
    ? createEventBridgeSink({ client: createEventBridge(), bus: requiredVariable('EVENT_BUS'), runtime })
    : createFileSink(file);

export const sender = createSender(database, sink);
