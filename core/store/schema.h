/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a store; doc/store.md explains them. */
#ifndef CLOPT_STORE_SCHEMA_H
#define CLOPT_STORE_SCHEMA_H

#define CLOPT_STORE_VERSION     7          /* PRAGMA user_version */
#define CLOPT_STORE_APPLICATION 1668050800 /* PRAGMA application_id: "clop" */

/* The statements that make an empty store. */
extern const char clopt_store_schema[];

/* Those that add what stores of this version may lack. */
extern const char clopt_store_additions[];

#endif
