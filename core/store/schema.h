/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a store; doc/store.md explains them. */
#ifndef CLOPT_STORE_SCHEMA_H
#define CLOPT_STORE_SCHEMA_H

#define CLOPT_STORE_VERSION     5          /* PRAGMA user_version */
#define CLOPT_STORE_OLDEST      4          /* that can be read */
#define CLOPT_STORE_APPLICATION 1668050800 /* PRAGMA application_id: "clop" */

/* The statements that make an empty store. */
extern const char clopt_store_schema[];

/* The statements that make a store of the oldest version look like a new one to who reads it. */
extern const char clopt_store_bridge[];

#endif
