/* The compiled reader: lines to columns, names to numbers, documents to judgments.

   rankeval works without it; rankeval/io/blocks.py loads it where it was compiled, and docs/decisions.md
   says why it is here. Each function works on memory that its caller gives and knows: blocks of whole lines that
   end with a newline, and arrays of as many entries as the comments say. None of them reads or writes beyond that,
   keeps anything between two calls, or calls back, so that any number of threads may be in them. What is not plain
   is left to others: a block with such a line is IRREGULAR as a whole, and the plain parser reads it, or says what
   is wrong with it. */

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* strtod_l */
#endif
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#define locale_t _locale_t
#define strtod_l _strtod_l
#define freelocale _free_locale
#define NEW_LOCALE() _create_locale(LC_ALL, "C")
#else
#define EXPORT __attribute__((visibility("default")))
#define NEW_LOCALE() newlocale(LC_ALL_MASK, "C", (locale_t)0)
#endif

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE 1 /* endian: eight bytes are read as a number at once */
#endif

#define VERSION 4 /* of these functions; blocks.py has the same */
#define IRREGULAR (-1)
#define NO_MEMORY (-2)

#define MOST_FIELDS 16  /* of a line that are looked at; kernel.py has the same */
#define MOST_KEPT 4
#define LONGEST_NAME 256 /* bytes of a docno; names.py hashes longer ones in another way */
#define LONGEST_NUMBER 128
#define LARGEST_EXACT (UINT64_C(1) << 53)
#define MOST_DIGITS 19 /* that 64 bits hold */
#define LARGEST_POWER 22

/* The powers of ten that a double holds exactly. */
static const double POWERS[LARGEST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The places of fields in a line, from 0; -1 for what is not read. */
struct layout {
    int32_t width;     /* fields of a line */
    int32_t topic;
    int32_t docno;
    int32_t value;     /* the score or grade */
    int32_t rank;
    int32_t tag;
    int32_t more;      /* 1 where further fields may follow */
    int32_t comments;  /* 1 where lines that begin with # are comments */
    int32_t separator; /* the byte between two fields; -1 for white space */
    int32_t n_kept;    /* fields that are kept as they are, at most MOST_KEPT */
    int32_t kept[MOST_KEPT];
};

/* Random numbers of the process, and the multipliers, of the hashes of names; as in names.py. */
struct seeds {
    uint64_t seed;
    uint64_t odd;
    uint64_t first;
    uint64_t second;
};

/* A name, or another field: a piece of a text. */
struct span {
    const char *start;
    const char *end;
};

/* Return the version of these functions, so that none of another source is called. */
EXPORT int32_t rankeval_version(void) { return VERSION; }

/* Return up to eight bytes of a name, the first one lowest, of a text that ends at `end`; bytes behind the name are 0. */
static inline uint64_t word_of_name(const char *at, const char *name_end, const char *end) {
    int size = name_end - at < 8 ? (int)(name_end - at) : 8;
    uint64_t word = 0;
#if defined(LITTLE)
    if (end - at >= 8) {
        memcpy(&word, at, 8);
        return size == 8 ? word : word & ((UINT64_C(1) << (8 * size)) - 1);
    }
#endif
    (void)end;
    for (int i = 0; i < size; i++)
        word |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return word;
}

/* Return a hash of a name of at most LONGEST_NAME bytes, the one that `hashes` of names.py gives. */
static inline uint64_t hash_of(const char *at, const char *name_end, const char *end, const struct seeds *seeds) {
    uint64_t hash = ((uint64_t)(name_end - at) << 56) ^ word_of_name(at, name_end, end);
    for (at += 8; at < name_end; at += 8) {
        hash = (hash ^ seeds->seed) * seeds->first;
        hash ^= hash >> 29;
        hash *= seeds->second;
        hash ^= hash >> 32;
        hash ^= word_of_name(at, name_end, end);
    }
    return hash * seeds->odd;
}

static inline int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/* Return the first byte that is no part of a word: a blank, the newline, or another control character. There is one
   before `end`, because the text ends with a newline. */
static inline const char *word_end(const char *at, const char *end) {
#if defined(LITTLE)
    const uint64_t ones = UINT64_C(0x0101010101010101);
    for (; end - at >= 8; at += 8) {
        uint64_t word = word_of_name(at, end, end);
        /* The lowest bit that is set belongs to the first byte of at most 0x20; higher ones may be wrong. */
        uint64_t found = (word - ones * 0x21) & ~word & (ones << 7);
        if (found)
            return at + (__builtin_ctzll(found) >> 3);
    }
#endif
    while ((unsigned char)*at > ' ')
        at++;
    return at;
}

/* Read a number with the C library, which rounds as exactly; 0 if it is none, or not finite. */
static int slow_number(struct span text, locale_t locale, double *value) {
    char copy[LONGEST_NUMBER + 1];
    char *stop;
    size_t size = (size_t)(text.end - text.start);
    if (size > LONGEST_NUMBER)
        return 0;
    memcpy(copy, text.start, size);
    copy[size] = '\0';
    *value = strtod_l(copy, &stop, locale);
    return stop == copy + size && isfinite(*value);
}

static inline int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Read a decimal number as Python's float() does; 0 if it is none, not finite, or for the plain parser to read. An
   integer of at most 2^53 times or by an exact power of ten is the nearest double (Clinger, How to read floating
   point numbers accurately, PLDI 1990). */
static inline int number(struct span text, locale_t locale, double *value) {
    const char *at = text.start, *end = text.end;
    uint64_t mantissa = 0;
    int digits = 0, any = 0, point = 0, negative = 0;
    int64_t exponent = 0;
    if (at < end && (*at == '-' || *at == '+'))
        negative = *at++ == '-';
    for (; at < end && (is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = 1;
            continue;
        }
        any = 1;
        exponent -= point;
        digits += digits || *at != '0';
        if (digits <= MOST_DIGITS)
            mantissa = 10 * mantissa + (uint64_t)(*at - '0');
    }
    if (!any)
        return 0;
    if (at < end && (*at == 'e' || *at == 'E')) {
        int below = 0;
        int64_t power = 0;
        if (++at < end && (*at == '-' || *at == '+'))
            below = *at++ == '-';
        if (at == end)
            return 0;
        for (; at < end && is_digit(*at); at++)
            power = power < 100000 ? 10 * power + (*at - '0') : power;
        exponent += below ? -power : power;
    }
    if (at != end)
        return 0;
    if (FLT_EVAL_METHOD != 0 || digits > MOST_DIGITS || mantissa > LARGEST_EXACT || exponent > LARGEST_POWER ||
        exponent < -LARGEST_POWER)
        return slow_number(text, locale, value);
    *value = exponent < 0 ? (double)mantissa / POWERS[-exponent] : (double)mantissa * POWERS[exponent];
    if (negative)
        *value = -*value;
    return 1;
}

/* Part a line at white space; return the byte behind its newline, NULL for a line without the fields wanted. */
static inline const char *words_of(const char *at, const char *end, const struct layout *layout, struct span *fields) {
    for (int32_t i = 0; i < layout->width; i++) {
        while (is_blank(*at))
            at++;
        fields[i].start = at;
        fields[i].end = at = word_end(at, end);
        if (fields[i].start == at || (*at < ' ' && *at != '\n' && !is_blank(*at)))
            return NULL;
    }
    while (is_blank(*at))
        at++;
    if (*at == '\n')
        return at + 1;
    if (!layout->more)
        return NULL;
    return (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
}

/* Part a line at a separator, as `words_of` does. NULL also where the plain parser would take off blanks or quotes. */
static const char *records_of(const char *at, const char *end, const struct layout *layout, struct span *fields) {
    const char separator = (char)layout->separator;
    for (int32_t i = 0; i < layout->width; i++) {
        const char *start = at;
        while (*at != separator && *at != '\n') {
            if (*at == '"' || ((unsigned char)*at < ' ' && *at != '\t' && !(*at == '\r' && at[1] == '\n')))
                return NULL;
            at++;
        }
        fields[i].start = start;
        fields[i].end = at;
        if (*at == '\n' && at > start && at[-1] == '\r')
            fields[i].end--;
        if (fields[i].end > start && (is_blank(*start) || is_blank(fields[i].end[-1])))
            return NULL;
        if ((*at == '\n') != (i == layout->width - 1))
            return NULL;
        at++;
    }
    (void)end;
    return at;
}

/* Compare two names of a text that ends at `end`. */
static inline int is_same(struct span a, struct span b, const char *end) {
    ptrdiff_t size = a.end - a.start;
    if (size != b.end - b.start)
        return 0;
    if (size <= 8)
        return word_of_name(a.start, a.end, end) == word_of_name(b.start, b.end, end);
    return !memcmp(a.start, b.start, (size_t)size);
}

/* What `rankeval_parse` writes: arrays of as many entries as there are lines. Positions are in the text. */
struct columns {
    int32_t *docno_start, *docno_size; /* of each line */
    uint64_t *hash;
    double *value, *rank;
    int64_t *first, *number; /* of each stretch of lines of one topic: its first line, and the topic's number */
    uint64_t *topic_hash;    /* of each topic */
    int32_t *topic_start, *topic_size;
    int32_t *tag_start, *tag_size; /* of each stretch of lines with one tag */
    int32_t *kept; /* of each field that is kept the positions of all lines, and then the sizes */
    int64_t n_lines, n_stretches, n_topics, n_tags;
};

/* A table of numbers with 2^bits slots, -1 in empty ones. */
struct table {
    int32_t *slots;
    int bits;
};

/* Return a table with the numbers of `count` hashes and room for as many again; it has no slots where memory ran out. */
static struct table table_of(const uint64_t *hashes, int64_t count) {
    struct table table = {NULL, 8};
    while ((INT64_C(1) << table.bits) < 4 * count)
        table.bits++;
    if (!(table.slots = malloc(sizeof(*table.slots) << table.bits)))
        return table;
    memset(table.slots, 0xFF, sizeof(*table.slots) << table.bits);
    for (int64_t i = 0; i < count; i++) {
        uint64_t slot = hashes[i] >> (64 - table.bits);
        while (table.slots[slot] >= 0)
            slot = (slot + 1) & ((UINT64_C(1) << table.bits) - 1);
        table.slots[slot] = (int32_t)i;
    }
    return table;
}

/* Return the number of a topic among those of a text, in the order of their first lines; -1 where memory ran out. */
static int64_t number_of(struct span topic, const char *text, const char *end, const struct seeds *seeds,
                         struct table *table, struct columns *out) {
    uint64_t hash = hash_of(topic.start, topic.end, end, seeds), slot = hash >> (64 - table->bits);
    int64_t number;
    for (; (number = table->slots[slot]) >= 0; slot = (slot + 1) & ((UINT64_C(1) << table->bits) - 1)) {
        const char *start = text + out->topic_start[number];
        if (out->topic_hash[number] == hash && is_same(topic, (struct span){start, start + out->topic_size[number]}, end))
            return number;
    }
    number = out->n_topics++;
    table->slots[slot] = (int32_t)number;
    out->topic_hash[number] = hash;
    out->topic_start[number] = (int32_t)(topic.start - text);
    out->topic_size[number] = (int32_t)(topic.end - topic.start);
    if (out->n_topics << 1 > INT64_C(1) << table->bits) {
        free(table->slots);
        *table = table_of(out->topic_hash, out->n_topics);
    }
    return table->slots ? number : -1;
}

static inline int put_line(const char *text, const char *end, int64_t row, const struct layout *layout,
                           const struct seeds *seeds, locale_t locale, const struct span *fields, struct span *topic,
                           struct span *tag, struct table *table, struct columns *out) {
    struct span docno = fields[layout->docno];
    if (docno.end == docno.start || docno.end - docno.start > LONGEST_NAME)
        return 0;
    if (!row || !is_same(*topic, fields[layout->topic], end)) {
        *topic = fields[layout->topic];
        if (topic->start == topic->end)
            return 0;
        out->first[out->n_stretches] = row;
        if ((out->number[out->n_stretches++] = number_of(*topic, text, end, seeds, table, out)) < 0)
            return 0;
    }
    if (layout->comments && fields[0].start < fields[0].end && *fields[0].start == '#')
        return 0;
    out->docno_start[row] = (int32_t)(docno.start - text);
    out->docno_size[row] = (int32_t)(docno.end - docno.start);
    out->hash[row] = hash_of(docno.start, docno.end, end, seeds);
    if (layout->value < 0)
        out->value[row] = 1.0;
    else if (!number(fields[layout->value], locale, &out->value[row]))
        return 0;
    if (layout->rank >= 0 && !number(fields[layout->rank], locale, &out->rank[row]))
        return 0;
    for (int32_t i = 0; i < layout->n_kept; i++) {
        struct span field = fields[layout->kept[i]];
        out->kept[2 * i * out->n_lines + row] = (int32_t)(field.start - text);
        out->kept[(2 * i + 1) * out->n_lines + row] = (int32_t)(field.end - field.start);
    }
    if (layout->tag >= 0 && (!row || !is_same(*tag, fields[layout->tag], end))) {
        *tag = fields[layout->tag];
        out->tag_start[out->n_tags] = (int32_t)(tag->start - text);
        out->tag_size[out->n_tags++] = (int32_t)(tag->end - tag->start);
    }
    return 1;
}

/* Parse `out->n_lines` whole lines, which are all of a text of `size` bytes that ends with a newline. Returns 0, or IRREGULAR
   where a line is blank, a comment, wrong, or for another parser to read. */
EXPORT int32_t rankeval_parse(const char *text, int64_t size, const struct layout *layout, const struct seeds *seeds,
                              struct columns *out) {
    const char *at = text, *end = text + size;
    struct span fields[MOST_FIELDS], topic = {NULL, NULL}, tag = {NULL, NULL};
    locale_t locale;
    int64_t row = 0;
    out->n_stretches = out->n_topics = out->n_tags = 0;
    if (size <= 0 || size > INT32_MAX || end[-1] != '\n' || layout->width > MOST_FIELDS || layout->n_kept > MOST_KEPT)
        return IRREGULAR;
    if (!(locale = NEW_LOCALE()))
        return NO_MEMORY;
    struct table table = table_of(NULL, 0);
    for (; table.slots && at && at < end && row < out->n_lines; row++) {
        at = layout->separator < 0 ? words_of(at, end, layout, fields) : records_of(at, end, layout, fields);
        if (at && !put_line(text, end, row, layout, seeds, locale, fields, &topic, &tag, &table, out))
            at = NULL;
    }
    freelocale(locale);
    free(table.slots);
    return !table.slots ? NO_MEMORY : at == end && row == out->n_lines ? 0 : IRREGULAR;
}

/* Count the newlines of a text. */
EXPORT int64_t rankeval_lines(const char *text, int64_t size) {
    int64_t count = 0;
    for (int64_t i = 0; i < size;) {
        uint8_t few = 0; /* so that compilers compare many bytes at once */
        for (int64_t stop = i + 255 < size ? i + 255 : size; i < stop; i++)
            few += text[i] == '\n';
        count += few;
    }
    return count;
}

/* Return the bits of a table with at least two slots for each of `count` entries. */
static int bits_for(int64_t count) {
    int bits = 4;
    while ((INT64_C(1) << bits) < 2 * count)
        bits++;
    return bits;
}

/* Return the rows of the longest of `count` stretches; stretch s has the rows starts[s] to starts[s + 1]. */
static int64_t largest_of(const int64_t *starts, int64_t count) {
    int64_t largest = 0;
    for (int64_t s = 0; s < count; s++)
        if (starts[s + 1] - starts[s] > largest)
            largest = starts[s + 1] - starts[s];
    return largest;
}

/* The names of N rows: where each begins in a text, and its bytes, in integers of 4 or 8 bytes; and its hash. */
struct names {
    const char *text;
    const void *start, *size;
    const uint64_t *hash;
    int64_t width; /* of the integers */
};

static inline struct span name_of(const struct names *names, int64_t row) {
    int is_small = names->width == 4;
    int64_t start = is_small ? ((const int32_t *)names->start)[row] : ((const int64_t *)names->start)[row];
    int64_t size = is_small ? ((const int32_t *)names->size)[row] : ((const int64_t *)names->size)[row];
    return (struct span){names->text + start, names->text + start + size};
}

static inline int are_same(const struct names *a, int64_t row, const struct names *b, int64_t other) {
    struct span one = name_of(a, row), two = name_of(b, other);
    size_t size = (size_t)(one.end - one.start);
    return one.end - one.start == two.end - two.start && !memcmp(one.start, two.start, size);
}

/* Number the distinct names of `n` rows in the order of their first rows. `first` gets the first row of each, `which`
   the number of each row's name; both have `n` entries. Returns how many there are, or NO_MEMORY. */
EXPORT int64_t rankeval_number(const struct names *names, int64_t n, int64_t *first, int64_t *which) {
    int bits = bits_for(n);
    uint64_t last = (UINT64_C(1) << bits) - 1;
    int64_t count = 0;
    int32_t *table = malloc(sizeof(*table) << bits); /* first rows, -1 in empty slots */
    if (!table)
        return NO_MEMORY;
    memset(table, 0xFF, sizeof(*table) << bits);
    for (int64_t row = 0; row < n; row++) {
        uint64_t hash = names->hash[row], slot = hash >> (64 - bits);
        int64_t found;
        while ((found = table[slot]) >= 0 && (names->hash[found] != hash || !are_same(names, found, names, row)))
            slot = (slot + 1) & last;
        if (found < 0) {
            table[slot] = (int32_t)row;
            first[count] = row;
        }
        which[row] = found < 0 ? count++ : which[found];
    }
    free(table);
    return count;
}

/* Copy a name, and return the byte behind it. */
static inline char *copy_name(char *out, const struct names *names, int64_t row) {
    struct span name = name_of(names, row);
    memcpy(out, name.start, (size_t)(name.end - name.start));
    return out + (name.end - name.start);
}

/* Copy the names of `n` rows one behind the other into `out`, which has room for them. `rows` says which rows; NULL
   for the first `n`. */
EXPORT void rankeval_copy(const struct names *names, const int64_t *rows, int64_t n, char *out) {
    for (int64_t i = 0; i < n; i++)
        out = copy_name(out, names, rows ? rows[i] : i);
}

/* Some lines of a run, and what they become. Line numbers are those of an array, or count up from `first_line`. */
struct part {
    struct names names;
    const double *value;
    const int64_t *line;
    int64_t first_line;
};

struct gathered {
    char *text;
    int32_t *size;
    uint64_t *hash;
    double *value;
    int64_t *line;
};

/* Put `n` stretches of rows one behind the other: stretch s is `count[s]` rows of part `which[s]`, from `first[s]` on. The
   arrays of `out` have an entry for each row, and its text has room for all names. Returns the bytes of these; NULL
   for `out` only counts them. */
EXPORT int64_t rankeval_gather(const struct part *parts, const int64_t *which, const int64_t *first, const int64_t *count,
                               int64_t n, struct gathered *out) {
    int64_t i = 0, bytes = 0;
    for (int64_t s = 0; s < n; s++) {
        const struct part *part = &parts[which[s]];
        for (int64_t row = first[s]; row < first[s] + count[s]; row++, i++) {
            struct span name = name_of(&part->names, row);
            int64_t size = name.end - name.start;
            if (out) {
                memcpy(out->text + bytes, name.start, (size_t)size);
                out->size[i] = (int32_t)size;
                out->hash[i] = part->names.hash[row];
                out->value[i] = part->value[row];
                out->line[i] = part->line ? part->line[row] : part->first_line + row;
            }
            bytes += size;
        }
    }
    return bytes;
}

/* Judgments: topic t has those from offsets[t] to offsets[t + 1]; docno[j] numbers the document of judgment j in `names`. */
struct judgments {
    const int64_t *offsets, *docno;
    struct names names;
};

/* A place of a table that finds the judgments of a topic by the hashes of their docnos; the judgment is -1 in empty ones. */
struct place {
    uint64_t hash;
    int64_t judgment;
};

/* Compare two of what is sorted: below 0 if the first comes first. */
typedef int comparison(const void *context, int64_t a, int64_t b);

/* Sort `n` numbers by merging, so that equal ones stay in their order; `spare` has room for as many. */
static void sort(int64_t *rows, int64_t n, int64_t *spare, comparison *compare, const void *context) {
    if (n < 2)
        return;
    int64_t half = n / 2, i = 0, j = half;
    sort(rows, half, spare, compare, context);
    sort(rows + half, n - half, spare, compare, context);
    if (compare(context, rows[half], rows[half - 1]) >= 0)
        return;
    memcpy(spare, rows, (size_t)half * sizeof(*rows));
    for (int64_t k = 0; i < half; k++)
        rows[k] = j < n && compare(context, rows[j], spare[i]) < 0 ? rows[j++] : spare[i++];
}

/* Rows of a run, N in all: docnos and scores. Stretch s has the rows starts[s] to starts[s + 1], of the topic of index
   topic[s], or of none that has judgments if that is negative. */
struct rows {
    struct names names;
    const double *score;
    const int64_t *starts, *topic;
    int64_t n_stretches;
    int64_t order; /* of equal scores: the order of the rows, or by docno */
};

enum { AS_THEY_ARE = 0, ASCENDING = 1, DESCENDING = -1 };

/* What `rankeval_rank` finds: of each judged row the row, the index of its topic, its judgment, rank, and the first and
   last rank with its score; and rows whose hash an earlier row of their stretch has. Each array has N entries. */
struct ranked {
    int64_t *row;
    int32_t *topic, *judgment, *rank, *tie_first, *tie_last;
    int64_t *repeated, n_rows, n_repeated;
};

static int by_score(const void *context, int64_t a, int64_t b) {
    const double *score = ((const struct rows *)context)->score;
    return (score[a] < score[b]) - (score[a] > score[b]);
}

static int by_docno(const void *context, int64_t a, int64_t b) {
    const struct rows *rows = context;
    struct span one = name_of(&rows->names, a), two = name_of(&rows->names, b);
    ptrdiff_t n_a = one.end - one.start, n_b = two.end - two.start;
    int order = memcmp(one.start, two.start, (size_t)(n_a < n_b ? n_a : n_b));
    return (int)rows->order * (order ? order < 0 ? -1 : 1 : (n_a > n_b) - (n_a < n_b));
}

static int64_t count_of(const struct judgments *judged, int64_t topic) {
    return judged->offsets[topic + 1] - judged->offsets[topic];
}

/* Put the judgments of a topic into a table with 2^bits places, which are enough for them. */
static void fill(const struct judgments *judged, int64_t topic, struct place *table, int bits) {
    uint64_t last = (UINT64_C(1) << bits) - 1;
    memset(table, 0xFF, sizeof(*table) << bits);
    for (int64_t j = judged->offsets[topic]; j < judged->offsets[topic + 1]; j++) {
        uint64_t hash = judged->names.hash[judged->docno[j]], at = hash >> (64 - bits);
        while (table[at].judgment >= 0)
            at = (at + 1) & last;
        table[at] = (struct place){hash, j};
    }
}

/* Return the judgment of a row by the table of its topic, -1 for none. */
static inline int64_t judgment_of(const struct names *rows, int64_t row, const struct judgments *judged,
                                  const struct place *table, int bits) {
    uint64_t hash = rows->hash[row], last = (UINT64_C(1) << bits) - 1;
    for (uint64_t at = hash >> (64 - bits); table[at].judgment >= 0; at = (at + 1) & last)
        if (table[at].hash == hash && are_same(rows, row, &judged->names, judged->docno[table[at].judgment]))
            return table[at].judgment;
    return -1;
}

/* Add the rows of a stretch whose hash an earlier one has; `table` has two places for each row. */
static void find_repeated(const struct rows *rows, int64_t start, int64_t stop, uint64_t *table, struct ranked *out) {
    int bits = bits_for(stop - start);
    uint64_t last = (UINT64_C(1) << bits) - 1; /* hashes, 0 in empty slots */
    memset(table, 0, sizeof(*table) << bits);
    for (int64_t row = start; row < stop; row++) {
        uint64_t key = rows->names.hash[row] ? rows->names.hash[row] : 1, slot = key >> (64 - bits);
        while (table[slot] && table[slot] != key)
            slot = (slot + 1) & last;
        if (table[slot])
            out->repeated[out->n_repeated++] = row;
        table[slot] = key;
    }
}

/* Add the judged rows of a stretch by rank. `order` gets its rows by rank, and has room for as many behind them;
   `judgment` is that of each of its rows. */
static void rank_stretch(const struct rows *rows, int64_t stretch, int64_t *order, const int64_t *judgment,
                         struct ranked *out) {
    int64_t start = rows->starts[stretch], n = rows->starts[stretch + 1] - start;
    int falls = 1;
    for (int64_t i = 0; i < n; i++) {
        order[i] = start + i;
        falls &= !rows->score || !i || rows->score[start + i] <= rows->score[start + i - 1];
    }
    if (!falls)
        sort(order, n, order + n, by_score, rows);
    for (int64_t first = 0, next; first < n; first = next) {
        int judged = 0;
        for (next = first; next < n; next++) {
            if (next > first && (!rows->score || by_score(rows, order[next], order[first])))
                break;
            judged |= judgment[order[next] - start] >= 0;
        }
        if (judged && next - first > 1 && rows->order)
            sort(order + first, next - first, order + n, by_docno, rows);
        for (int64_t i = first; judged && i < next; i++) {
            int64_t found = judgment[order[i] - start];
            if (found < 0)
                continue;
            out->row[out->n_rows] = order[i];
            out->topic[out->n_rows] = (int32_t)rows->topic[stretch];
            out->judgment[out->n_rows] = (int32_t)found;
            out->rank[out->n_rows] = (int32_t)i + 1;
            out->tie_first[out->n_rows] = (int32_t)first + 1;
            out->tie_last[out->n_rows++] = (int32_t)next;
        }
    }
}

/* Find the repeated rows of each stretch and, where `judged` is not NULL, the judged ones: by descending score, or in
   their order where there are no scores. Returns 0, or NO_MEMORY. */
EXPORT int32_t rankeval_rank(const struct rows *rows, const struct judgments *judged, struct ranked *out) {
    int64_t largest = largest_of(rows->starts, rows->n_stretches), most = 0;
    for (int64_t s = 0; judged && s < rows->n_stretches; s++)
        if (rows->topic[s] >= 0 && count_of(judged, rows->topic[s]) > most)
            most = count_of(judged, rows->topic[s]);
    out->n_rows = out->n_repeated = 0;
    uint64_t *hashes = malloc(sizeof(*hashes) << bits_for(largest));
    struct place *table = malloc(sizeof(*table) << bits_for(most));
    int64_t *order = malloc(sizeof(*order) * 2 * (size_t)(largest + 1));
    int64_t *judgment = malloc(sizeof(*judgment) * (size_t)(largest + 1));
    int32_t status = hashes && table && order && judgment ? 0 : NO_MEMORY;
    for (int64_t s = 0; !status && s < rows->n_stretches; s++) {
        int64_t start = rows->starts[s], stop = rows->starts[s + 1], topic = rows->topic[s], any = 0;
        find_repeated(rows, start, stop, hashes, out);
        if (!judged || topic < 0)
            continue;
        int bits = bits_for(count_of(judged, topic));
        fill(judged, topic, table, bits);
        for (int64_t row = start; row < stop; row++) {
            judgment[row - start] = judgment_of(&rows->names, row, judged, table, bits);
            any |= judgment[row - start] >= 0;
        }
        if (any)
            rank_stretch(rows, s, order, judgment, out);
    }
    free(judgment);
    free(order);
    free(table);
    free(hashes);
    return status;
}

/* Judgments as lines of text: of judgment i the document docno[i] of `docnos`, and the grade grade[i] of `grades`, of
   which each name is a blank, the number and a newline. Topic t, `topics` has its name, has the judgments offsets[t] to
   offsets[t + 1]. */
struct lines {
    struct names topics, docnos, grades;
    const int64_t *offsets, *docno, *grade;
};

/* A line to be sorted, without its topic, and the eight bytes of it that are compared first. */
struct line {
    struct span text;
    uint64_t first;
};

/* Compare two lines by their bytes, as memcmp does. Each ends with its only newline, so none begins another. */
static int compare_lines(const void *context, int64_t a, int64_t b) {
    const struct line *left = (const struct line *)context + a, *right = (const struct line *)context + b;
    ptrdiff_t n_left = left->text.end - left->text.start, n_right = right->text.end - right->text.start;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return memcmp(left->text.start, right->text.start, (size_t)(n_left < n_right ? n_left : n_right));
}

/* Take from `n` lines the eight bytes behind those that all have in common, as numbers that sort as they do. */
static void compare_first(struct line *lines, int64_t n) {
    ptrdiff_t common = n ? lines[0].text.end - lines[0].text.start : 0;
    for (int64_t i = 1; i < n; i++) {
        ptrdiff_t same = 0; /* two lines differ at the end of the shorter one, if not before */
        while (same < common && lines[i].text.start[same] == lines[0].text.start[same])
            same++;
        common = same;
    }
    for (int64_t i = 0; i < n; i++) {
        const char *at = lines[i].text.start + common;
        lines[i].first = 0;
        for (int k = 0; k < 8; k++)
            lines[i].first = lines[i].first << 8 | (at < lines[i].text.end ? (unsigned char)*at++ : 0);
    }
}

/* Write the lines of each topic in the order of their bytes: topic, a blank, docno and grade. `out` has room for all
   lines, which `spare` has, too, for those of one topic. Returns 0, or NO_MEMORY. */
EXPORT int32_t rankeval_lines_of(const struct lines *lines, int64_t n_topics, char *out, char *spare) {
    size_t largest = (size_t)largest_of(lines->offsets, n_topics) + 1;
    int64_t *rows = malloc(2 * largest * sizeof(*rows));
    struct line *all = malloc(largest * sizeof(*all));
    int32_t status = rows && all ? 0 : NO_MEMORY;
    for (int64_t t = 0; !status && t < n_topics; t++) {
        int64_t first = lines->offsets[t], n = lines->offsets[t + 1] - first;
        char *at = spare;
        for (int64_t i = 0; i < n; i++) {
            rows[i] = i;
            all[i].text.start = at;
            at = copy_name(at, &lines->docnos, lines->docno[first + i]);
            all[i].text.end = at = copy_name(at, &lines->grades, lines->grade[first + i]);
        }
        compare_first(all, n);
        sort(rows, n, rows + n, compare_lines, all);
        for (int64_t i = 0; i < n; i++) {
            struct span text = all[rows[i]].text;
            out = copy_name(out, &lines->topics, t);
            *out++ = ' ';
            memcpy(out, text.start, (size_t)(text.end - text.start));
            out += text.end - text.start;
        }
    }
    free(all);
    free(rows);
    return status;
}
