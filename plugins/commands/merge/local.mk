# SPDX-License-Identifier: BSD-3-Clause
# Makes one store of several.
plugins_commands_la_SOURCES += \
	plugins/commands/merge/merge.c \
	plugins/commands/merge/merge.h

# Its statements, as SQL(KIND, "TEXT"); what is in braces becomes a macro of C.
EXTRA_DIST += plugins/commands/merge/merge.sql
$(plugins_commands_la_OBJECTS): | plugins/commands/merge/merge_text.h
CLEANFILES += plugins/commands/merge/merge_text.h
plugins/commands/merge/merge_text.h: plugins/commands/merge/merge.sql
	$(AM_V_GEN)$(MKDIR_P) plugins/commands/merge && $(AWK) ' \
		/^-- kind: / { kind = $$3 } \
		/^--/ || /^$$/ { next } \
		{ gsub(/["\\]/, "\\\\&"); gsub(/[{]/, "\" "); gsub(/[}]/, " \""); text = text $$0 } \
		/;$$/ { gsub(/ +/, " ", text); print "SQL(" kind ", \"" text "\")"; text = "" }' $< >$@.part && mv $@.part $@
