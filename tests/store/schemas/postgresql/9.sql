SELECT pg_catalog.set_config('search_path', '', false);
CREATE SCHEMA past_study;
CREATE FUNCTION past_study.refuse_to_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION '% are append-only', TG_TABLE_NAME; END $$;
CREATE TABLE past_study.annotator_events (
    n bigint NOT NULL,
    annotator bigint NOT NULL,
    action text NOT NULL,
    reason text NOT NULL,
    by text NOT NULL,
    at text NOT NULL
);
CREATE SEQUENCE past_study.annotator_events_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.annotator_events_n_seq OWNED BY past_study.annotator_events.n;
CREATE TABLE past_study.annotators (
    n bigint NOT NULL,
    id text NOT NULL,
    token text NOT NULL,
    code text NOT NULL,
    label text NOT NULL,
    kind text NOT NULL,
    arm text DEFAULT ''::text NOT NULL,
    cohort text DEFAULT ''::text NOT NULL,
    invited_at text,
    consented_at text,
    last_seen text,
    finished_at text,
    revoked_at text,
    withdrawn_at text,
    block text DEFAULT ''::text NOT NULL,
    block_reason text DEFAULT ''::text NOT NULL,
    assignment bigint,
    onboarding_wanted integer,
    onboarding_asked integer DEFAULT 0 NOT NULL,
    onboarding_right integer DEFAULT 0 NOT NULL,
    judged integer DEFAULT 0 NOT NULL,
    excluded integer DEFAULT 0 NOT NULL,
    credited integer DEFAULT 0 NOT NULL,
    item_block text DEFAULT ''::text NOT NULL,
    began_at text,
    ending text DEFAULT ''::text NOT NULL,
    attention_asked integer DEFAULT 0 NOT NULL,
    attention_right integer DEFAULT 0 NOT NULL,
    repeated integer DEFAULT 0 NOT NULL,
    timed_out integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE past_study.annotators_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.annotators_n_seq OWNED BY past_study.annotators.n;
CREATE TABLE past_study.arms (
    name text NOT NULL,
    annotators integer DEFAULT 0 NOT NULL,
    groups_open integer DEFAULT 0 NOT NULL
);
CREATE TABLE past_study.assignments (
    n bigint NOT NULL,
    key text NOT NULL,
    annotator bigint NOT NULL,
    item bigint NOT NULL,
    slot bigint,
    arm text NOT NULL,
    shown text NOT NULL,
    revision integer DEFAULT 0 NOT NULL,
    number integer DEFAULT 0 NOT NULL,
    total integer DEFAULT 0 NOT NULL,
    state text NOT NULL,
    leased_at text NOT NULL,
    expires_at text,
    chat bigint,
    seat integer DEFAULT 0 NOT NULL,
    draft text DEFAULT ''::text NOT NULL,
    credit text DEFAULT ''::text NOT NULL,
    occasion integer DEFAULT 1 NOT NULL,
    deadline_at text
);
CREATE SEQUENCE past_study.assignments_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.assignments_n_seq OWNED BY past_study.assignments.n;
CREATE TABLE past_study.blocks (
    name text NOT NULL,
    annotators integer DEFAULT 0 NOT NULL,
    item_count integer DEFAULT 0 NOT NULL
);
CREATE TABLE past_study.chat_turns (
    n bigint NOT NULL,
    chat bigint NOT NULL,
    place integer NOT NULL,
    seat integer NOT NULL,
    text text NOT NULL,
    key text NOT NULL,
    at text NOT NULL,
    seconds double precision,
    meta text DEFAULT ''::text NOT NULL,
    thread integer DEFAULT 0 NOT NULL,
    candidate integer
);
CREATE SEQUENCE past_study.chat_turns_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.chat_turns_n_seq OWNED BY past_study.chat_turns.n;
CREATE TABLE past_study.chats (
    n bigint NOT NULL,
    id text NOT NULL,
    item bigint NOT NULL,
    arm text NOT NULL,
    state text NOT NULL,
    next_seat integer DEFAULT 0 NOT NULL,
    ending text DEFAULT ''::text NOT NULL,
    turns_0 integer DEFAULT 0 NOT NULL,
    turns_1 integer DEFAULT 0 NOT NULL,
    min_exchanges integer NOT NULL,
    max_exchanges integer NOT NULL,
    change bigint NOT NULL,
    news bigint NOT NULL,
    since text NOT NULL,
    began_at text NOT NULL,
    ended_at text,
    waits_until text,
    is_erased boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE past_study.chats_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.chats_n_seq OWNED BY past_study.chats.n;
CREATE TABLE past_study.dialogues (
    n bigint NOT NULL,
    id text NOT NULL,
    bot text NOT NULL,
    content_hash text NOT NULL,
    body text NOT NULL
);
CREATE SEQUENCE past_study.dialogues_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.dialogues_n_seq OWNED BY past_study.dialogues.n;
CREATE TABLE past_study.exclusions (
    n bigint NOT NULL,
    id text NOT NULL,
    judgment bigint NOT NULL,
    action text NOT NULL,
    rule text NOT NULL,
    reason text NOT NULL,
    by text NOT NULL,
    at text NOT NULL
);
CREATE SEQUENCE past_study.exclusions_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.exclusions_n_seq OWNED BY past_study.exclusions.n;
CREATE TABLE past_study.facts (
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE past_study.filled_forms (
    n bigint NOT NULL,
    annotator bigint NOT NULL,
    form text NOT NULL,
    revision integer DEFAULT 0 NOT NULL,
    answers text NOT NULL,
    at text NOT NULL
);
CREATE SEQUENCE past_study.filled_forms_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.filled_forms_n_seq OWNED BY past_study.filled_forms.n;
CREATE TABLE past_study.gold_items (
    item bigint NOT NULL,
    role text DEFAULT 'onboarding'::text NOT NULL,
    handed integer DEFAULT 0 NOT NULL
);
CREATE TABLE past_study.item_dialogues (
    item bigint NOT NULL,
    place integer NOT NULL,
    dialogue bigint NOT NULL
);
CREATE TABLE past_study.items (
    n bigint NOT NULL,
    id text NOT NULL,
    group_name text NOT NULL,
    role text DEFAULT 'judged'::text NOT NULL,
    block text DEFAULT ''::text NOT NULL,
    is_retired boolean DEFAULT false NOT NULL,
    body text NOT NULL
);
CREATE SEQUENCE past_study.items_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.items_n_seq OWNED BY past_study.items.n;
CREATE TABLE past_study.judged_quotas (
    annotator bigint NOT NULL,
    quota bigint NOT NULL,
    judged integer DEFAULT 0 NOT NULL
);
CREATE TABLE past_study.judgment_flags (
    n bigint NOT NULL,
    judgment bigint NOT NULL,
    rule text NOT NULL,
    detail text NOT NULL
);
CREATE SEQUENCE past_study.judgment_flags_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.judgment_flags_n_seq OWNED BY past_study.judgment_flags.n;
CREATE TABLE past_study.judgments (
    n bigint NOT NULL,
    id text NOT NULL,
    assignment bigint NOT NULL,
    annotator bigint NOT NULL,
    item bigint NOT NULL,
    slot bigint,
    quota bigint,
    arm text NOT NULL,
    revision integer NOT NULL,
    answer text NOT NULL,
    shown text NOT NULL,
    seconds double precision NOT NULL,
    seconds_kind text NOT NULL,
    key text NOT NULL,
    at text NOT NULL,
    is_correct boolean,
    role text DEFAULT 'judged'::text NOT NULL,
    occasion integer DEFAULT 1 NOT NULL
);
CREATE SEQUENCE past_study.judgments_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.judgments_n_seq OWNED BY past_study.judgments.n;
CREATE TABLE past_study.looks (
    n bigint NOT NULL,
    how text NOT NULL,
    judgments integer DEFAULT 0 NOT NULL,
    planned integer DEFAULT 0 NOT NULL,
    short integer DEFAULT 0 NOT NULL,
    data text NOT NULL,
    at text NOT NULL
);
CREATE SEQUENCE past_study.looks_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.looks_n_seq OWNED BY past_study.looks.n;
CREATE TABLE past_study.migrations (
    number integer NOT NULL,
    name text NOT NULL,
    at text NOT NULL
);
CREATE TABLE past_study.plans (
    number integer NOT NULL,
    hash text NOT NULL,
    body text NOT NULL,
    at text NOT NULL
);
CREATE TABLE past_study.quotas (
    n bigint NOT NULL,
    arm text NOT NULL,
    group_name text NOT NULL,
    cohort text DEFAULT ''::text NOT NULL,
    is_wanted boolean DEFAULT true NOT NULL,
    wanted integer DEFAULT 0 NOT NULL,
    free integer DEFAULT 0 NOT NULL,
    leased integer DEFAULT 0 NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    excluded integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE past_study.quotas_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.quotas_n_seq OWNED BY past_study.quotas.n;
CREATE TABLE past_study.reason_prints (
    judgment bigint NOT NULL,
    print text NOT NULL,
    may_be_shared boolean NOT NULL
);
CREATE TABLE past_study.reasons (
    judgment bigint NOT NULL,
    text text NOT NULL
);
CREATE TABLE past_study.reply_failures (
    n bigint NOT NULL,
    reply bigint NOT NULL,
    chat bigint NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    cause text NOT NULL,
    at text NOT NULL
);
CREATE SEQUENCE past_study.reply_failures_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.reply_failures_n_seq OWNED BY past_study.reply_failures.n;
CREATE TABLE past_study.revisions (
    number integer NOT NULL,
    design_hash text NOT NULL,
    text text NOT NULL,
    at text NOT NULL
);
CREATE TABLE past_study.rules_in_force (
    judgment bigint NOT NULL,
    rule text NOT NULL,
    exclusion bigint NOT NULL
);
CREATE TABLE past_study.seen_dialogues (
    annotator bigint NOT NULL,
    dialogue bigint NOT NULL
);
CREATE TABLE past_study.selections (
    n bigint NOT NULL,
    id text NOT NULL,
    assignment bigint NOT NULL,
    turn integer NOT NULL,
    shown text NOT NULL,
    chosen text NOT NULL,
    written text DEFAULT ''::text NOT NULL,
    continuation integer,
    is_complete boolean NOT NULL,
    answer text DEFAULT ''::text NOT NULL,
    seconds double precision,
    key text NOT NULL,
    at text NOT NULL
);
CREATE SEQUENCE past_study.selections_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.selections_n_seq OWNED BY past_study.selections.n;
CREATE TABLE past_study.slots (
    n bigint NOT NULL,
    quota bigint NOT NULL,
    item bigint NOT NULL,
    copy integer DEFAULT 0 NOT NULL,
    "position" bigint NOT NULL,
    state text DEFAULT 'free'::text NOT NULL,
    is_wanted boolean DEFAULT true NOT NULL,
    shown text NOT NULL,
    assignment bigint,
    judgment bigint
);
CREATE SEQUENCE past_study.slots_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.slots_n_seq OWNED BY past_study.slots.n;
CREATE TABLE past_study.tallies (
    quota bigint NOT NULL,
    kind text NOT NULL,
    example bigint NOT NULL,
    done integer DEFAULT 0 NOT NULL
);
CREATE TABLE past_study.wanted_replies (
    n bigint NOT NULL,
    id text NOT NULL,
    chat bigint NOT NULL,
    place integer NOT NULL,
    bot text NOT NULL,
    seed bigint NOT NULL,
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at text NOT NULL,
    candidate integer DEFAULT 0 NOT NULL,
    shown integer DEFAULT 0 NOT NULL,
    text text DEFAULT ''::text NOT NULL,
    seconds double precision,
    meta text DEFAULT ''::text NOT NULL
);
CREATE SEQUENCE past_study.wanted_replies_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE past_study.wanted_replies_n_seq OWNED BY past_study.wanted_replies.n;
ALTER TABLE ONLY past_study.annotator_events ALTER COLUMN n SET DEFAULT nextval('past_study.annotator_events_n_seq'::regclass);
ALTER TABLE ONLY past_study.annotators ALTER COLUMN n SET DEFAULT nextval('past_study.annotators_n_seq'::regclass);
ALTER TABLE ONLY past_study.assignments ALTER COLUMN n SET DEFAULT nextval('past_study.assignments_n_seq'::regclass);
ALTER TABLE ONLY past_study.chat_turns ALTER COLUMN n SET DEFAULT nextval('past_study.chat_turns_n_seq'::regclass);
ALTER TABLE ONLY past_study.chats ALTER COLUMN n SET DEFAULT nextval('past_study.chats_n_seq'::regclass);
ALTER TABLE ONLY past_study.dialogues ALTER COLUMN n SET DEFAULT nextval('past_study.dialogues_n_seq'::regclass);
ALTER TABLE ONLY past_study.exclusions ALTER COLUMN n SET DEFAULT nextval('past_study.exclusions_n_seq'::regclass);
ALTER TABLE ONLY past_study.filled_forms ALTER COLUMN n SET DEFAULT nextval('past_study.filled_forms_n_seq'::regclass);
ALTER TABLE ONLY past_study.items ALTER COLUMN n SET DEFAULT nextval('past_study.items_n_seq'::regclass);
ALTER TABLE ONLY past_study.judgment_flags ALTER COLUMN n SET DEFAULT nextval('past_study.judgment_flags_n_seq'::regclass);
ALTER TABLE ONLY past_study.judgments ALTER COLUMN n SET DEFAULT nextval('past_study.judgments_n_seq'::regclass);
ALTER TABLE ONLY past_study.looks ALTER COLUMN n SET DEFAULT nextval('past_study.looks_n_seq'::regclass);
ALTER TABLE ONLY past_study.quotas ALTER COLUMN n SET DEFAULT nextval('past_study.quotas_n_seq'::regclass);
ALTER TABLE ONLY past_study.reply_failures ALTER COLUMN n SET DEFAULT nextval('past_study.reply_failures_n_seq'::regclass);
ALTER TABLE ONLY past_study.selections ALTER COLUMN n SET DEFAULT nextval('past_study.selections_n_seq'::regclass);
ALTER TABLE ONLY past_study.slots ALTER COLUMN n SET DEFAULT nextval('past_study.slots_n_seq'::regclass);
ALTER TABLE ONLY past_study.wanted_replies ALTER COLUMN n SET DEFAULT nextval('past_study.wanted_replies_n_seq'::regclass);
INSERT INTO past_study.annotator_events VALUES (1, 3, 'block', 'a test', 'me', '2026-05-01T12:00:00.000000+00:00');
INSERT INTO past_study.annotators VALUES (2, 'fb2baa533f169305', 'efb3d4ca9cfcbc00a9f93eb2a986222d', '30649E2D48AFA765', '', 'lab', 'main', '', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', NULL, NULL, '', '', NULL, 1, 1, 1, 3, 1, 0, '', '2026-05-01T12:00:00.000000+00:00', '', 0, 0, 0, 0);
INSERT INTO past_study.annotators VALUES (6, '407369c2e653293b', '9e5f985b44bcc82b954513930d6ec631', 'A374A0560B5FC364', 'Asked', 'lab', 'main', 'expert', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', NULL, NULL, NULL, '', '', 17, 1, 0, 0, 0, 0, 0, '', '2026-05-01T12:00:00.000000+00:00', '', 0, 0, 0, 0);
INSERT INTO past_study.annotators VALUES (3, '0a6aa46f9deaa4d0', 'a4afdaee372ce48558910279cb4097fd', 'B64378A2882EFEFE', 'Blocked', 'lab', '', '', '2026-05-01T12:00:00.000000+00:00', NULL, NULL, NULL, NULL, NULL, 'researcher', 'a test', NULL, NULL, 0, 0, 0, 0, 0, '', NULL, '', 0, 0, 0, 0);
INSERT INTO past_study.annotators VALUES (1, '6c7d79b6eab7c63f', 'b5c75f3a37c42fcdb56806a73271f8b2', 'F9BE311F7FCEEB56', '', 'lab', 'main', '', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', NULL, NULL, '', '', NULL, 1, 1, 1, 3, 0, 0, '', '2026-05-01T12:00:00.000000+00:00', '', 0, 0, 0, 0);
INSERT INTO past_study.annotators VALUES (7, '9312052019fa827d', 'da9e71beecc783305964d411e8a759dd', '21383A2F3CEF5129', 'Choosing', 'lab', 'main', '', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', NULL, NULL, NULL, '', '', 28, 0, 0, 0, 0, 0, 0, '', '2026-05-01T12:00:00.000000+00:00', '', 0, 0, 0, 0);
INSERT INTO past_study.annotators VALUES (4, 'b0463ef8d6372a15', 'f562e0cf425c1b6cfc97462600d32a47', 'CAF53E7D328CFAB9', 'Waiting', 'lab', 'main', '', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', NULL, NULL, NULL, '', '', 23, 1, 1, 1, 1, 0, 0, '', '2026-05-01T12:00:00.000000+00:00', '', 0, 0, 0, 0);
INSERT INTO past_study.annotators VALUES (5, 'cd98b42180bfa104', '4d76d319904ea1c9c245d854b468deb4', '3A081AE1C9846EB5', 'Chatting', 'lab', 'main', '', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', NULL, NULL, NULL, '', '', 26, 0, 0, 0, 1, 0, 0, '', '2026-05-01T12:00:00.000000+00:00', '', 0, 0, 0, 0);
INSERT INTO past_study.arms VALUES ('main', 6, 5);
INSERT INTO past_study.assignments VALUES (1, 'a6dfb30dfc0d4f600f1aa2e98b2056b4', 1, 1, NULL, 'main', '0,1', 1, 1, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (3, '67766caf0fdbb8f05ecc84ec67a1d3c5', 1, 2, 1, 'main', '0,1', 1, 2, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (5, 'a93fccfcd8a50f60960fad81a69b0249', 1, 7, 6, 'main', '0,1', 1, 3, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (7, '6796384066b8101fbe6631eb66eb9cca', 1, 12, 11, 'main', '1,0', 1, 4, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (9, 'e17bcc65a9a09ff27846c0cd564325f1', 2, 1, NULL, 'main', '1,0', 1, 1, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (11, '703ad96fa64faa11ff75a690061e806e', 2, 3, 2, 'main', '1,0', 1, 2, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (13, 'f6b1d9a70a2f77c03b1f708f3db1d941', 2, 6, 5, 'main', '1,0', 1, 3, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (15, '7b67506cd87bab426424e42bc7aa7245', 2, 13, 12, 'main', '0,1', 1, 4, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (17, 'f661185fa3cd9f30ca455c187f68b7f2', 6, 1, NULL, 'main', '1,0', 1, 1, 4, 'running', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (19, 'b50eb5be8b49f242c0696a4579ef410f', 4, 1, NULL, 'main', '0,1', 1, 1, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (21, 'fa858152dc4293a539829bf56a68c79f', 4, 10, 9, 'main', '0,1', 1, 2, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (23, '46c3f24f591df700c55a335d6d518e4b', 4, 4, 3, 'main', '0,1', 1, 3, 4, 'running', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (28, '8ca8bf1811709eaef17820e9c797aba9', 7, 23, 22, 'main', '1,0', 1, 1, 5, 'running', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', 2, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (25, '5c8d1279da38dc69c087ee8d63bb5a31', 5, 14, 13, 'main', '0', 1, 1, 4, 'judged', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', 1, 0, '', '', 1, NULL);
INSERT INTO past_study.assignments VALUES (26, 'd1c0c87cc2b8c97093d9ecca073996e4', 5, 11, 10, 'main', '1,0', 1, 2, 4, 'running', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:30:00.000000+00:00', NULL, 0, '', '', 1, NULL);
INSERT INTO past_study.blocks VALUES ('first', 0, 25);
INSERT INTO past_study.chat_turns VALUES (1, 1, 0, 0, 'Hello!', 'one', '2026-05-01T12:00:00.000000+00:00', NULL, '', 0, NULL);
INSERT INTO past_study.chat_turns VALUES (2, 1, 1, 1, 'Hello.', '1eb9560a520cc054', '2026-05-01T12:00:00.000000+00:00', 0.5, '{"seed":1870909727}', 0, 0);
INSERT INTO past_study.chat_turns VALUES (3, 2, 0, 0, 'Hello!', 'one', '2026-05-01T12:00:00.000000+00:00', NULL, '', 0, NULL);
INSERT INTO past_study.chat_turns VALUES (4, 2, 1, 1, 'Hello from 0.', '67506de2d6245f38', '2026-05-01T12:00:00.000000+00:00', 0.5, '{"seed":297691296}', 0, 0);
INSERT INTO past_study.chats VALUES (1, 'chat-b862ecd1bf232160', 14, 'main', 'ended', 0, 'complete', 1, 1, 1, 1, 4, 4, '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', NULL, false);
INSERT INTO past_study.chats VALUES (2, 'chat-b916423ed6f9111d', 23, 'main', 'ended', 0, 'complete', 1, 1, 1, 1, 4, 8, '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', '2026-05-01T12:00:00.000000+00:00', NULL, false);
INSERT INTO past_study.dialogues VALUES (1, 'A-0', 'A', '3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea', '{"id":"A-0","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (2, 'A-1', 'A', '3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea', '{"id":"A-1","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (3, 'A-2', 'A', '3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea', '{"id":"A-2","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (4, 'A-3', 'A', '3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea', '{"id":"A-3","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (5, 'B-0', 'B', 'abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f', '{"id":"B-0","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (6, 'B-1', 'B', 'abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f', '{"id":"B-1","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (7, 'B-2', 'B', 'abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f', '{"id":"B-2","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (8, 'B-3', 'B', 'abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f', '{"id":"B-3","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (9, 'C-0', 'C', 'b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248', '{"id":"C-0","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (10, 'C-1', 'C', 'b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248', '{"id":"C-1","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (11, 'C-2', 'C', 'b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248', '{"id":"C-2","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (12, 'C-3', 'C', 'b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248', '{"id":"C-3","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (13, 'A-gold0', 'A', 'a5a06c45abbdf8ecea0e76d38300fada9c4c781eb9fbb91099f0d2a024eefd2b', '{"id":"A-gold0","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","A pleasure to meet you.",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (14, 'B-gold0', 'B', '678a0567df0dd3bf80181b313f17019a61a61ed9071666bdcc386c638ee7f6f9', '{"id":"B-gold0","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","no no no no",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO past_study.dialogues VALUES (15, 'chat-b862ecd1bf232160', 'ada', 'bb58359290482db637dcf58c65ad5b2181cb35b53b92475d62a4f87fbdba4169', '{"id":"chat-b862ecd1bf232160","bot":"ada","kind":"live-chat","judged":"ada","speakers":[["human",null],["ada","ada"]],"turns":[["human","Hello!",null,{"at":"2026-05-01T12:00:00.000000+00:00"}],["ada","Hello.",null,{"at":"2026-05-01T12:00:00.000000+00:00","seconds":0.5,"seed":1870909727}]],"context":[],"extras":{"briefing":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 0."]},"annotator":"cd98b42180bfa104","ending":"complete"}}');
INSERT INTO past_study.dialogues VALUES (16, 'chat-b916423ed6f9111d', 'ada__vs__bea', '2d3c2607ed7f2393e2f80d2c369c13fc7112401b2758f42bba594015e1111e56', '{"id":"chat-b916423ed6f9111d","bot":"ada__vs__bea","kind":"live-chat","judged":"partner","speakers":[["human",null],["partner","ada__vs__bea"]],"turns":[["human","Hello!",null,{"at":"2026-05-01T12:00:00.000000+00:00"}],["partner","Hello from 0.",null,{"at":"2026-05-01T12:00:00.000000+00:00","seconds":0.5,"seed":297691296,"bot":"ada"}]],"context":[],"extras":{"briefing":{"first":"annotator","choose":"one"},"annotator":"9312052019fa827d","ending":"complete","bots":["ada","bea"]}}');
INSERT INTO past_study.exclusions VALUES (1, '0048ecdbd57f80b4', 12, 'exclude', 'slow', 'a test', 'me', '2026-05-01T12:00:00.000000+00:00');
INSERT INTO past_study.facts VALUES ('secret:researcher', 'b9f71015c898afe29e66dbcbf6a9dd21');
INSERT INTO past_study.facts VALUES ('mark:rehearsal', 'no');
INSERT INTO past_study.filled_forms VALUES (1, 6, 'you', 1, '{"age":31,"langs":["en"]}', '2026-05-01T12:00:00.000000+00:00');
INSERT INTO past_study.gold_items VALUES (1, 'onboarding', 4);
INSERT INTO past_study.item_dialogues VALUES (1, 0, 13);
INSERT INTO past_study.item_dialogues VALUES (1, 1, 14);
INSERT INTO past_study.item_dialogues VALUES (2, 0, 1);
INSERT INTO past_study.item_dialogues VALUES (2, 1, 5);
INSERT INTO past_study.item_dialogues VALUES (3, 0, 2);
INSERT INTO past_study.item_dialogues VALUES (3, 1, 6);
INSERT INTO past_study.item_dialogues VALUES (4, 0, 3);
INSERT INTO past_study.item_dialogues VALUES (4, 1, 7);
INSERT INTO past_study.item_dialogues VALUES (5, 0, 4);
INSERT INTO past_study.item_dialogues VALUES (5, 1, 8);
INSERT INTO past_study.item_dialogues VALUES (6, 0, 1);
INSERT INTO past_study.item_dialogues VALUES (6, 1, 9);
INSERT INTO past_study.item_dialogues VALUES (7, 0, 2);
INSERT INTO past_study.item_dialogues VALUES (7, 1, 10);
INSERT INTO past_study.item_dialogues VALUES (8, 0, 3);
INSERT INTO past_study.item_dialogues VALUES (8, 1, 11);
INSERT INTO past_study.item_dialogues VALUES (9, 0, 4);
INSERT INTO past_study.item_dialogues VALUES (9, 1, 12);
INSERT INTO past_study.item_dialogues VALUES (10, 0, 5);
INSERT INTO past_study.item_dialogues VALUES (10, 1, 9);
INSERT INTO past_study.item_dialogues VALUES (11, 0, 6);
INSERT INTO past_study.item_dialogues VALUES (11, 1, 10);
INSERT INTO past_study.item_dialogues VALUES (12, 0, 7);
INSERT INTO past_study.item_dialogues VALUES (12, 1, 11);
INSERT INTO past_study.item_dialogues VALUES (13, 0, 8);
INSERT INTO past_study.item_dialogues VALUES (13, 1, 12);
INSERT INTO past_study.item_dialogues VALUES (35, 0, 1);
INSERT INTO past_study.item_dialogues VALUES (35, 1, 6);
INSERT INTO past_study.items VALUES (1, 'A-gold0:B-gold0', 'A__vs__B', 'onboarding', '', false, '{"id":"A-gold0:B-gold0","group":"A__vs__B","bots":["A","B"],"dialogues":["A-gold0","B-gold0"],"judged":["she","she"],"is_onboarding":true,"gold":0}');
INSERT INTO past_study.items VALUES (2, 'A-0:B-0', 'A__vs__B', 'judged', '', false, '{"id":"A-0:B-0","group":"A__vs__B","bots":["A","B"],"dialogues":["A-0","B-0"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (3, 'A-1:B-1', 'A__vs__B', 'judged', '', false, '{"id":"A-1:B-1","group":"A__vs__B","bots":["A","B"],"dialogues":["A-1","B-1"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (4, 'A-2:B-2', 'A__vs__B', 'judged', '', false, '{"id":"A-2:B-2","group":"A__vs__B","bots":["A","B"],"dialogues":["A-2","B-2"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (5, 'A-3:B-3', 'A__vs__B', 'judged', '', false, '{"id":"A-3:B-3","group":"A__vs__B","bots":["A","B"],"dialogues":["A-3","B-3"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (6, 'A-0:C-0', 'A__vs__C', 'judged', '', false, '{"id":"A-0:C-0","group":"A__vs__C","bots":["A","C"],"dialogues":["A-0","C-0"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (7, 'A-1:C-1', 'A__vs__C', 'judged', '', false, '{"id":"A-1:C-1","group":"A__vs__C","bots":["A","C"],"dialogues":["A-1","C-1"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (8, 'A-2:C-2', 'A__vs__C', 'judged', '', false, '{"id":"A-2:C-2","group":"A__vs__C","bots":["A","C"],"dialogues":["A-2","C-2"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (9, 'A-3:C-3', 'A__vs__C', 'judged', '', false, '{"id":"A-3:C-3","group":"A__vs__C","bots":["A","C"],"dialogues":["A-3","C-3"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (10, 'B-0:C-0', 'B__vs__C', 'judged', '', false, '{"id":"B-0:C-0","group":"B__vs__C","bots":["B","C"],"dialogues":["B-0","C-0"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (11, 'B-1:C-1', 'B__vs__C', 'judged', '', false, '{"id":"B-1:C-1","group":"B__vs__C","bots":["B","C"],"dialogues":["B-1","C-1"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (12, 'B-2:C-2', 'B__vs__C', 'judged', '', false, '{"id":"B-2:C-2","group":"B__vs__C","bots":["B","C"],"dialogues":["B-2","C-2"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (13, 'B-3:C-3', 'B__vs__C', 'judged', '', false, '{"id":"B-3:C-3","group":"B__vs__C","bots":["B","C"],"dialogues":["B-3","C-3"],"judged":["she","she"]}');
INSERT INTO past_study.items VALUES (23, 'chat-ada__vs__bea-0', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-0","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (24, 'chat-ada__vs__bea-1', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-1","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (25, 'chat-ada__vs__bea-2', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-2","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (26, 'chat-ada__vs__bea-3', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-3","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (27, 'chat-ada__vs__bea-4', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-4","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (28, 'chat-ada__vs__bea-5', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-5","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (29, 'chat-ada__vs__bea-6', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-6","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (30, 'chat-ada__vs__bea-7', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-7","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (31, 'chat-ada__vs__bea-8', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-8","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (32, 'chat-ada__vs__bea-9', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-9","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (33, 'chat-ada__vs__bea-10', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-10","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (34, 'chat-ada__vs__bea-11', 'ada__vs__bea', 'judged', '', false, '{"id":"chat-ada__vs__bea-11","group":"ada__vs__bea","bots":["ada","bea"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","choose":"one"}}}');
INSERT INTO past_study.items VALUES (14, 'chat-ada-0', 'ada', 'judged', '', true, '{"id":"chat-ada-0","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 0."]}}}');
INSERT INTO past_study.items VALUES (15, 'chat-ada-1', 'ada', 'judged', '', true, '{"id":"chat-ada-1","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 1."]}}}');
INSERT INTO past_study.items VALUES (16, 'chat-ada-2', 'ada', 'judged', '', true, '{"id":"chat-ada-2","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 2."]}}}');
INSERT INTO past_study.items VALUES (17, 'chat-ada-3', 'ada', 'judged', '', true, '{"id":"chat-ada-3","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 3."]}}}');
INSERT INTO past_study.items VALUES (18, 'chat-ada-4', 'ada', 'judged', '', true, '{"id":"chat-ada-4","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 4."]}}}');
INSERT INTO past_study.items VALUES (19, 'chat-ada-5', 'ada', 'judged', '', true, '{"id":"chat-ada-5","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 5."]}}}');
INSERT INTO past_study.items VALUES (20, 'chat-ada-6', 'ada', 'judged', '', true, '{"id":"chat-ada-6","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 6."]}}}');
INSERT INTO past_study.items VALUES (21, 'chat-ada-7', 'ada', 'judged', '', true, '{"id":"chat-ada-7","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 7."]}}}');
INSERT INTO past_study.items VALUES (22, 'chat-ada-8', 'ada', 'judged', '', true, '{"id":"chat-ada-8","group":"ada","bots":["ada"],"dialogues":[],"judged":[],"extras":{"chat":{"first":"annotator","persona":["i am ada."],"annotator_persona":["i am person 8."]}}}');
INSERT INTO past_study.items VALUES (35, 'A-0:B-1', 'A__vs__B', 'judged', 'first', false, '{"id":"A-0:B-1","group":"A__vs__B","bots":["A","B"],"dialogues":["A-0","B-1"],"judged":["she","she"],"block":"first"}');
INSERT INTO past_study.judged_quotas VALUES (1, 1, 1);
INSERT INTO past_study.judged_quotas VALUES (1, 2, 1);
INSERT INTO past_study.judged_quotas VALUES (1, 3, 1);
INSERT INTO past_study.judged_quotas VALUES (2, 1, 1);
INSERT INTO past_study.judged_quotas VALUES (2, 2, 1);
INSERT INTO past_study.judged_quotas VALUES (2, 3, 1);
INSERT INTO past_study.judged_quotas VALUES (4, 3, 1);
INSERT INTO past_study.judged_quotas VALUES (5, 4, 1);
INSERT INTO past_study.judgment_flags VALUES (1, 18, 'few-words', '1 word');
INSERT INTO past_study.judgments VALUES (1, '67516ca05143b8b1', 1, 1, 1, NULL, NULL, 'main', 1, '{"side":1}', '0,1', 0, 'wall', 'key-a6dfb30dfc0d4f600f1aa2e98b2056b4', '2026-05-01T12:00:00.000000+00:00', true, 'onboarding', 1);
INSERT INTO past_study.judgments VALUES (3, '7afa43ed59b874f9', 3, 1, 2, 1, 1, 'main', 1, '{"side":1}', '0,1', 0, 'wall', 'key-67766caf0fdbb8f05ecc84ec67a1d3c5', '2026-05-01T12:00:00.000000+00:00', NULL, 'judged', 1);
INSERT INTO past_study.judgments VALUES (5, '0990e53fba699e33', 5, 1, 7, 6, 2, 'main', 1, '{"side":1}', '0,1', 0, 'wall', 'key-a93fccfcd8a50f60960fad81a69b0249', '2026-05-01T12:00:00.000000+00:00', NULL, 'judged', 1);
INSERT INTO past_study.judgments VALUES (6, '94d0a7e2ddcf2494', 7, 1, 12, 11, 3, 'main', 1, '{"side":1}', '1,0', 0, 'wall', 'key-6796384066b8101fbe6631eb66eb9cca', '2026-05-01T12:00:00.000000+00:00', NULL, 'judged', 1);
INSERT INTO past_study.judgments VALUES (7, '227e3272b8b7911b', 9, 2, 1, NULL, NULL, 'main', 1, '{"side":1}', '1,0', 0, 'wall', 'key-e17bcc65a9a09ff27846c0cd564325f1', '2026-05-01T12:00:00.000000+00:00', true, 'onboarding', 1);
INSERT INTO past_study.judgments VALUES (9, 'e0b60a8c8494a1cd', 11, 2, 3, 2, 1, 'main', 1, '{"side":1}', '1,0', 0, 'wall', 'key-703ad96fa64faa11ff75a690061e806e', '2026-05-01T12:00:00.000000+00:00', NULL, 'judged', 1);
INSERT INTO past_study.judgments VALUES (11, '9075ffa87d1c1162', 13, 2, 6, 5, 2, 'main', 1, '{"side":1}', '1,0', 0, 'wall', 'key-f6b1d9a70a2f77c03b1f708f3db1d941', '2026-05-01T12:00:00.000000+00:00', NULL, 'judged', 1);
INSERT INTO past_study.judgments VALUES (12, '922dd1ad014db723', 15, 2, 13, 12, 3, 'main', 1, '{"side":1}', '0,1', 0, 'wall', 'key-7b67506cd87bab426424e42bc7aa7245', '2026-05-01T12:00:00.000000+00:00', NULL, 'judged', 1);
INSERT INTO past_study.judgments VALUES (13, 'fc3f312e649397bc', 19, 4, 1, NULL, NULL, 'main', 1, '{"side":1}', '0,1', 0, 'wall', 'key-b50eb5be8b49f242c0696a4579ef410f', '2026-05-01T12:00:00.000000+00:00', true, 'onboarding', 1);
INSERT INTO past_study.judgments VALUES (15, '6f0bba9a1a86af95', 21, 4, 10, 9, 3, 'main', 1, '{"side":1}', '0,1', 0, 'wall', 'key-fa858152dc4293a539829bf56a68c79f', '2026-05-01T12:00:00.000000+00:00', NULL, 'judged', 1);
INSERT INTO past_study.judgments VALUES (18, 'a4ffb60de9950fc1', 25, 5, 14, 13, 4, 'main', 1, '{"side":1}', '0', 0, 'wall', 'two', '2026-05-01T12:00:00.000000+00:00', NULL, 'judged', 1);
INSERT INTO past_study.looks VALUES (1, 'analyse', 1, 9, 1, 'abc', '2026-05-01T12:00:00.000000+00:00');
INSERT INTO past_study.migrations VALUES (9, 'made whole', '2026-05-01T12:00:00.000000+00:00');
INSERT INTO past_study.plans VALUES (1, '94b752adec000eb565d05970ba2536e749cbf93c556ab31f4df54408b184a064', '{
 "alpha": 0.05,
 "frozen_at": "2026-05-01T12:00:00.000000+00:00",
 "hash": "94b752adec000eb565d05970ba2536e749cbf93c556ab31f4df54408b184a064"
}
', '2026-05-01T12:00:00.000000+00:00');
INSERT INTO past_study.quotas VALUES (2, 'main', 'A__vs__C', '', true, 4, 2, 0, 2, 0);
INSERT INTO past_study.quotas VALUES (1, 'main', 'A__vs__B', '', true, 5, 2, 1, 2, 0);
INSERT INTO past_study.quotas VALUES (4, 'main', 'ada', '', true, 1, 0, 0, 1, 0);
INSERT INTO past_study.quotas VALUES (3, 'main', 'B__vs__C', '', true, 4, 1, 1, 2, 1);
INSERT INTO past_study.quotas VALUES (5, 'main', 'ada__vs__bea', '', true, 12, 11, 1, 0, 0);
INSERT INTO past_study.reason_prints VALUES (15, '843a1de7c001d2d4864401d18464c083', false);
INSERT INTO past_study.reasons VALUES (1, 'So.');
INSERT INTO past_study.reasons VALUES (3, 'So.');
INSERT INTO past_study.reasons VALUES (5, 'So.');
INSERT INTO past_study.reasons VALUES (6, 'So.');
INSERT INTO past_study.reasons VALUES (7, 'So.');
INSERT INTO past_study.reasons VALUES (9, 'So.');
INSERT INTO past_study.reasons VALUES (11, 'So.');
INSERT INTO past_study.reasons VALUES (12, 'So.');
INSERT INTO past_study.reasons VALUES (13, 'So.');
INSERT INTO past_study.reasons VALUES (15, 'So it asks more questions.');
INSERT INTO past_study.reasons VALUES (18, 'So.');
INSERT INTO past_study.reply_failures VALUES (1, 1, 1, 1, 'It said nothing.', '2026-05-01T12:00:00.000000+00:00');
INSERT INTO past_study.revisions VALUES (1, 'hash', 'the study file', '2026-05-01T12:00:00.000000+00:00');
INSERT INTO past_study.rules_in_force VALUES (12, 'slow', 1);
INSERT INTO past_study.seen_dialogues VALUES (1, 13);
INSERT INTO past_study.seen_dialogues VALUES (1, 14);
INSERT INTO past_study.seen_dialogues VALUES (1, 1);
INSERT INTO past_study.seen_dialogues VALUES (1, 5);
INSERT INTO past_study.seen_dialogues VALUES (1, 2);
INSERT INTO past_study.seen_dialogues VALUES (1, 10);
INSERT INTO past_study.seen_dialogues VALUES (1, 7);
INSERT INTO past_study.seen_dialogues VALUES (1, 11);
INSERT INTO past_study.seen_dialogues VALUES (2, 13);
INSERT INTO past_study.seen_dialogues VALUES (2, 14);
INSERT INTO past_study.seen_dialogues VALUES (2, 2);
INSERT INTO past_study.seen_dialogues VALUES (2, 6);
INSERT INTO past_study.seen_dialogues VALUES (2, 1);
INSERT INTO past_study.seen_dialogues VALUES (2, 9);
INSERT INTO past_study.seen_dialogues VALUES (2, 8);
INSERT INTO past_study.seen_dialogues VALUES (2, 12);
INSERT INTO past_study.seen_dialogues VALUES (6, 13);
INSERT INTO past_study.seen_dialogues VALUES (6, 14);
INSERT INTO past_study.seen_dialogues VALUES (4, 13);
INSERT INTO past_study.seen_dialogues VALUES (4, 14);
INSERT INTO past_study.seen_dialogues VALUES (4, 5);
INSERT INTO past_study.seen_dialogues VALUES (4, 9);
INSERT INTO past_study.seen_dialogues VALUES (4, 3);
INSERT INTO past_study.seen_dialogues VALUES (4, 7);
INSERT INTO past_study.seen_dialogues VALUES (5, 6);
INSERT INTO past_study.seen_dialogues VALUES (5, 10);
INSERT INTO past_study.selections VALUES (1, '5228f93bc43a1ca8', 28, 1, '[[1],[0]]', '[2]', '', 0, true, '', NULL, 'two', '2026-05-01T12:00:00.000000+00:00');
INSERT INTO past_study.slots VALUES (4, 1, 5, 0, 4, 'free', true, '1,0', NULL, NULL);
INSERT INTO past_study.slots VALUES (7, 2, 8, 0, 3, 'free', true, '1,0', NULL, NULL);
INSERT INTO past_study.slots VALUES (8, 2, 9, 0, 4, 'free', true, '0,1', NULL, NULL);
INSERT INTO past_study.slots VALUES (1, 1, 2, 0, 1, 'done', true, '0,1', NULL, 3);
INSERT INTO past_study.slots VALUES (6, 2, 7, 0, 2, 'done', true, '0,1', NULL, 5);
INSERT INTO past_study.slots VALUES (11, 3, 12, 0, 3, 'done', true, '1,0', NULL, 6);
INSERT INTO past_study.slots VALUES (2, 1, 3, 0, 2, 'done', true, '1,0', NULL, 9);
INSERT INTO past_study.slots VALUES (5, 2, 6, 0, 1, 'done', true, '1,0', NULL, 11);
INSERT INTO past_study.slots VALUES (12, 3, 13, 0, 4, 'free', true, '0,1', NULL, NULL);
INSERT INTO past_study.slots VALUES (9, 3, 10, 0, 1, 'done', true, '0,1', NULL, 15);
INSERT INTO past_study.slots VALUES (3, 1, 4, 0, 3, 'leased', true, '0,1', 23, NULL);
INSERT INTO past_study.slots VALUES (10, 3, 11, 0, 2, 'leased', true, '1,0', 26, NULL);
INSERT INTO past_study.slots VALUES (23, 5, 24, 0, 2, 'free', true, '0,1', NULL, NULL);
INSERT INTO past_study.slots VALUES (24, 5, 25, 0, 3, 'free', true, '1,0', NULL, NULL);
INSERT INTO past_study.slots VALUES (25, 5, 26, 0, 4, 'free', true, '0,1', NULL, NULL);
INSERT INTO past_study.slots VALUES (26, 5, 27, 0, 5, 'free', true, '1,0', NULL, NULL);
INSERT INTO past_study.slots VALUES (27, 5, 28, 0, 6, 'free', true, '0,1', NULL, NULL);
INSERT INTO past_study.slots VALUES (28, 5, 29, 0, 7, 'free', true, '1,0', NULL, NULL);
INSERT INTO past_study.slots VALUES (29, 5, 30, 0, 8, 'free', true, '0,1', NULL, NULL);
INSERT INTO past_study.slots VALUES (30, 5, 31, 0, 9, 'free', true, '1,0', NULL, NULL);
INSERT INTO past_study.slots VALUES (31, 5, 32, 0, 10, 'free', true, '0,1', NULL, NULL);
INSERT INTO past_study.slots VALUES (32, 5, 33, 0, 11, 'free', true, '0,1', NULL, NULL);
INSERT INTO past_study.slots VALUES (33, 5, 34, 0, 12, 'free', true, '1,0', NULL, NULL);
INSERT INTO past_study.slots VALUES (13, 4, 14, 0, 1, 'done', false, '0', NULL, 18);
INSERT INTO past_study.slots VALUES (14, 4, 15, 0, 2, 'retired', false, '0', NULL, NULL);
INSERT INTO past_study.slots VALUES (15, 4, 16, 0, 3, 'retired', false, '0', NULL, NULL);
INSERT INTO past_study.slots VALUES (16, 4, 17, 0, 4, 'retired', false, '0', NULL, NULL);
INSERT INTO past_study.slots VALUES (17, 4, 18, 0, 5, 'retired', false, '0', NULL, NULL);
INSERT INTO past_study.slots VALUES (18, 4, 19, 0, 6, 'retired', false, '0', NULL, NULL);
INSERT INTO past_study.slots VALUES (19, 4, 20, 0, 7, 'retired', false, '0', NULL, NULL);
INSERT INTO past_study.slots VALUES (20, 4, 21, 0, 8, 'retired', false, '0', NULL, NULL);
INSERT INTO past_study.slots VALUES (21, 4, 22, 0, 9, 'retired', false, '0', NULL, NULL);
INSERT INTO past_study.slots VALUES (22, 5, 23, 0, 1, 'leased', true, '1,0', 28, NULL);
INSERT INTO past_study.slots VALUES (34, 1, 35, 0, 5, 'free', true, '0,1', NULL, NULL);
INSERT INTO past_study.tallies VALUES (1, 'd983b98c878c19a90239e4865636595c', 3, 1);
INSERT INTO past_study.tallies VALUES (2, '130cfa2e2558602411864b0a5026cf65', 5, 1);
INSERT INTO past_study.tallies VALUES (3, 'e3439d19be25186a6bb7993d2b5ec9c0', 6, 1);
INSERT INTO past_study.tallies VALUES (1, '3ee0b0b378c9d7fd1394883a9b36e150', 9, 1);
INSERT INTO past_study.tallies VALUES (2, 'b4a6d03199582ebbca04057ece12995e', 11, 1);
INSERT INTO past_study.tallies VALUES (3, 'b0bdae9219cdaa4cf4e52e3b14c57ce8', 12, 1);
INSERT INTO past_study.tallies VALUES (4, '53b704e2dc3da081cd11258afd7fce0f', 18, 1);
INSERT INTO past_study.wanted_replies VALUES (1, '1eb9560a520cc054', 1, 1, 'ada', 1870909727, 'given', 1, '2026-05-01T12:00:30.000000+00:00', 0, 0, '', NULL, '');
INSERT INTO past_study.wanted_replies VALUES (2, '67506de2d6245f38', 2, 1, 'ada', 297691296, 'given', 1, '2026-05-01T12:00:30.000000+00:00', 0, 1, 'Hello from 0.', 0.5, '{"seed":297691296}');
INSERT INTO past_study.wanted_replies VALUES (3, '4e76b28a8227fa12', 2, 1, 'bea', 3595075919, 'given', 1, '2026-05-01T12:00:30.000000+00:00', 1, 0, 'Hello from 1.', 0.5, '{"seed":3595075919}');
SELECT pg_catalog.setval('past_study.annotator_events_n_seq', 1, true);
SELECT pg_catalog.setval('past_study.annotators_n_seq', 7, true);
SELECT pg_catalog.setval('past_study.assignments_n_seq', 28, true);
SELECT pg_catalog.setval('past_study.chat_turns_n_seq', 4, true);
SELECT pg_catalog.setval('past_study.chats_n_seq', 2, true);
SELECT pg_catalog.setval('past_study.dialogues_n_seq', 1, false);
SELECT pg_catalog.setval('past_study.exclusions_n_seq', 1, true);
SELECT pg_catalog.setval('past_study.filled_forms_n_seq', 1, true);
SELECT pg_catalog.setval('past_study.items_n_seq', 1, false);
SELECT pg_catalog.setval('past_study.judgment_flags_n_seq', 1, true);
SELECT pg_catalog.setval('past_study.judgments_n_seq', 21, true);
SELECT pg_catalog.setval('past_study.looks_n_seq', 1, true);
SELECT pg_catalog.setval('past_study.quotas_n_seq', 5, true);
SELECT pg_catalog.setval('past_study.reply_failures_n_seq', 1, true);
SELECT pg_catalog.setval('past_study.selections_n_seq', 1, true);
SELECT pg_catalog.setval('past_study.slots_n_seq', 34, true);
SELECT pg_catalog.setval('past_study.wanted_replies_n_seq', 3, true);
ALTER TABLE ONLY past_study.annotator_events
    ADD CONSTRAINT annotator_events_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.annotators
    ADD CONSTRAINT annotators_id_key UNIQUE (id);
ALTER TABLE ONLY past_study.annotators
    ADD CONSTRAINT annotators_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.annotators
    ADD CONSTRAINT annotators_token_key UNIQUE (token);
ALTER TABLE ONLY past_study.arms
    ADD CONSTRAINT arms_pkey PRIMARY KEY (name);
ALTER TABLE ONLY past_study.assignments
    ADD CONSTRAINT assignments_annotator_item_occasion_key UNIQUE (annotator, item, occasion);
ALTER TABLE ONLY past_study.assignments
    ADD CONSTRAINT assignments_key_key UNIQUE (key);
ALTER TABLE ONLY past_study.assignments
    ADD CONSTRAINT assignments_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.blocks
    ADD CONSTRAINT blocks_pkey PRIMARY KEY (name);
ALTER TABLE ONLY past_study.chat_turns
    ADD CONSTRAINT chat_turns_chat_key_key UNIQUE (chat, key);
ALTER TABLE ONLY past_study.chat_turns
    ADD CONSTRAINT chat_turns_chat_place_thread_key UNIQUE (chat, place, thread);
ALTER TABLE ONLY past_study.chat_turns
    ADD CONSTRAINT chat_turns_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.chats
    ADD CONSTRAINT chats_id_key UNIQUE (id);
ALTER TABLE ONLY past_study.chats
    ADD CONSTRAINT chats_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.dialogues
    ADD CONSTRAINT dialogues_id_key UNIQUE (id);
ALTER TABLE ONLY past_study.dialogues
    ADD CONSTRAINT dialogues_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.exclusions
    ADD CONSTRAINT exclusions_id_key UNIQUE (id);
ALTER TABLE ONLY past_study.exclusions
    ADD CONSTRAINT exclusions_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.facts
    ADD CONSTRAINT facts_pkey PRIMARY KEY (key);
ALTER TABLE ONLY past_study.filled_forms
    ADD CONSTRAINT filled_forms_annotator_form_key UNIQUE (annotator, form);
ALTER TABLE ONLY past_study.filled_forms
    ADD CONSTRAINT filled_forms_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.gold_items
    ADD CONSTRAINT gold_items_pkey PRIMARY KEY (item);
ALTER TABLE ONLY past_study.item_dialogues
    ADD CONSTRAINT item_dialogues_pkey PRIMARY KEY (item, place);
ALTER TABLE ONLY past_study.items
    ADD CONSTRAINT items_id_key UNIQUE (id);
ALTER TABLE ONLY past_study.items
    ADD CONSTRAINT items_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.judged_quotas
    ADD CONSTRAINT judged_quotas_pkey PRIMARY KEY (annotator, quota);
ALTER TABLE ONLY past_study.judgment_flags
    ADD CONSTRAINT judgment_flags_judgment_rule_key UNIQUE (judgment, rule);
ALTER TABLE ONLY past_study.judgment_flags
    ADD CONSTRAINT judgment_flags_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.judgments
    ADD CONSTRAINT judgments_assignment_key UNIQUE (assignment);
ALTER TABLE ONLY past_study.judgments
    ADD CONSTRAINT judgments_id_key UNIQUE (id);
ALTER TABLE ONLY past_study.judgments
    ADD CONSTRAINT judgments_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.looks
    ADD CONSTRAINT looks_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (number);
ALTER TABLE ONLY past_study.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (number);
ALTER TABLE ONLY past_study.quotas
    ADD CONSTRAINT quotas_arm_group_name_cohort_key UNIQUE (arm, group_name, cohort);
ALTER TABLE ONLY past_study.quotas
    ADD CONSTRAINT quotas_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.reason_prints
    ADD CONSTRAINT reason_prints_pkey PRIMARY KEY (judgment);
ALTER TABLE ONLY past_study.reasons
    ADD CONSTRAINT reasons_pkey PRIMARY KEY (judgment);
ALTER TABLE ONLY past_study.reply_failures
    ADD CONSTRAINT reply_failures_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.revisions
    ADD CONSTRAINT revisions_pkey PRIMARY KEY (number);
ALTER TABLE ONLY past_study.rules_in_force
    ADD CONSTRAINT rules_in_force_pkey PRIMARY KEY (judgment, rule);
ALTER TABLE ONLY past_study.seen_dialogues
    ADD CONSTRAINT seen_dialogues_pkey PRIMARY KEY (annotator, dialogue);
ALTER TABLE ONLY past_study.selections
    ADD CONSTRAINT selections_assignment_turn_key UNIQUE (assignment, turn);
ALTER TABLE ONLY past_study.selections
    ADD CONSTRAINT selections_id_key UNIQUE (id);
ALTER TABLE ONLY past_study.selections
    ADD CONSTRAINT selections_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.slots
    ADD CONSTRAINT slots_item_quota_copy_key UNIQUE (item, quota, copy);
ALTER TABLE ONLY past_study.slots
    ADD CONSTRAINT slots_pkey PRIMARY KEY (n);
ALTER TABLE ONLY past_study.tallies
    ADD CONSTRAINT tallies_pkey PRIMARY KEY (quota, kind);
ALTER TABLE ONLY past_study.wanted_replies
    ADD CONSTRAINT wanted_replies_chat_place_candidate_key UNIQUE (chat, place, candidate);
ALTER TABLE ONLY past_study.wanted_replies
    ADD CONSTRAINT wanted_replies_id_key UNIQUE (id);
ALTER TABLE ONLY past_study.wanted_replies
    ADD CONSTRAINT wanted_replies_pkey PRIMARY KEY (n);
CREATE INDEX annotators_at_forms ON past_study.annotators USING btree (cohort) WHERE ((consented_at IS NOT NULL) AND (onboarding_wanted IS NULL));
CREATE INDEX assignments_by_chat ON past_study.assignments USING btree (chat) WHERE (chat IS NOT NULL);
CREATE INDEX chats_by_news ON past_study.chats USING btree (news);
CREATE INDEX chats_in_the_waiting_room ON past_study.chats USING btree (arm, n) WHERE (state = 'waiting'::text);
CREATE INDEX failures_by_chat ON past_study.reply_failures USING btree (chat);
CREATE INDEX judgments_by_annotator ON past_study.judgments USING btree (annotator, role, seconds);
CREATE INDEX leases_by_expiry ON past_study.assignments USING btree (expires_at) WHERE (state = 'running'::text);
CREATE UNIQUE INDEX one_assignment_in_hand ON past_study.assignments USING btree (annotator) WHERE (state = 'running'::text);
CREATE UNIQUE INDEX one_lease_of_a_slot ON past_study.assignments USING btree (slot) WHERE (state = 'running'::text);
CREATE INDEX quotas_to_fill ON past_study.quotas USING btree (arm, cohort, free DESC, n);
CREATE INDEX reasons_that_say_the_same ON past_study.reason_prints USING btree (print);
CREATE INDEX replies_by_due_time ON past_study.wanted_replies USING btree (due_at) WHERE (state = 'open'::text);
CREATE INDEX second_slots ON past_study.slots USING btree (quota, state) WHERE (copy = 1000000);
CREATE INDEX slots_to_hand_out ON past_study.slots USING btree (quota, state, "position");
CREATE TRIGGER chat_turns_never_delete BEFORE DELETE ON past_study.chat_turns FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER chat_turns_never_update BEFORE UPDATE ON past_study.chat_turns FOR EACH ROW WHEN (((new.text <> '[withdrawn]'::text) OR (new.chat <> old.chat) OR (new.place <> old.place) OR (new.seat <> old.seat) OR (new.key <> old.key) OR (new.at <> old.at) OR ((new.meta <> ''::text) AND (new.meta <> old.meta)) OR (COALESCE(new.seconds, ('-1'::integer)::double precision) <> COALESCE(old.seconds, ('-1'::integer)::double precision)) OR (new.thread <> old.thread) OR (COALESCE(new.candidate, '-1'::integer) <> COALESCE(old.candidate, '-1'::integer)))) EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER exclusions_never_delete BEFORE DELETE ON past_study.exclusions FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER exclusions_never_update BEFORE UPDATE ON past_study.exclusions FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER filled_forms_never_delete BEFORE DELETE ON past_study.filled_forms FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER filled_forms_never_update BEFORE UPDATE ON past_study.filled_forms FOR EACH ROW WHEN (((new.answers <> '[withdrawn]'::text) OR (new.annotator <> old.annotator) OR (new.form <> old.form) OR (new.revision <> old.revision) OR (new.at <> old.at))) EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER judgments_never_delete BEFORE DELETE ON past_study.judgments FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER judgments_never_update BEFORE UPDATE ON past_study.judgments FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER looks_never_delete BEFORE DELETE ON past_study.looks FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER looks_never_update BEFORE UPDATE ON past_study.looks FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER plans_never_delete BEFORE DELETE ON past_study.plans FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER plans_never_update BEFORE UPDATE ON past_study.plans FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER selections_never_delete BEFORE DELETE ON past_study.selections FOR EACH STATEMENT EXECUTE FUNCTION past_study.refuse_to_change();
CREATE TRIGGER selections_never_update BEFORE UPDATE ON past_study.selections FOR EACH ROW WHEN (((new.written <> ALL (ARRAY[''::text, '[withdrawn]'::text])) OR (new.answer <> ''::text) OR (new.id <> old.id) OR (new.assignment <> old.assignment) OR (new.turn <> old.turn) OR (new.shown <> old.shown) OR (new.chosen <> old.chosen) OR (new.is_complete <> old.is_complete) OR (new.key <> old.key) OR (new.at <> old.at) OR (COALESCE(new.continuation, '-1'::integer) <> COALESCE(old.continuation, '-1'::integer)) OR (COALESCE(new.seconds, ('-1'::integer)::double precision) <> COALESCE(old.seconds, ('-1'::integer)::double precision)))) EXECUTE FUNCTION past_study.refuse_to_change();
ALTER TABLE ONLY past_study.annotator_events
    ADD CONSTRAINT annotator_events_annotator_fkey FOREIGN KEY (annotator) REFERENCES past_study.annotators(n);
ALTER TABLE ONLY past_study.assignments
    ADD CONSTRAINT assignments_annotator_fkey FOREIGN KEY (annotator) REFERENCES past_study.annotators(n);
ALTER TABLE ONLY past_study.assignments
    ADD CONSTRAINT assignments_chat_fkey FOREIGN KEY (chat) REFERENCES past_study.chats(n);
ALTER TABLE ONLY past_study.assignments
    ADD CONSTRAINT assignments_item_fkey FOREIGN KEY (item) REFERENCES past_study.items(n);
ALTER TABLE ONLY past_study.assignments
    ADD CONSTRAINT assignments_slot_fkey FOREIGN KEY (slot) REFERENCES past_study.slots(n);
ALTER TABLE ONLY past_study.chat_turns
    ADD CONSTRAINT chat_turns_chat_fkey FOREIGN KEY (chat) REFERENCES past_study.chats(n);
ALTER TABLE ONLY past_study.chats
    ADD CONSTRAINT chats_item_fkey FOREIGN KEY (item) REFERENCES past_study.items(n);
ALTER TABLE ONLY past_study.exclusions
    ADD CONSTRAINT exclusions_judgment_fkey FOREIGN KEY (judgment) REFERENCES past_study.judgments(n);
ALTER TABLE ONLY past_study.filled_forms
    ADD CONSTRAINT filled_forms_annotator_fkey FOREIGN KEY (annotator) REFERENCES past_study.annotators(n);
ALTER TABLE ONLY past_study.gold_items
    ADD CONSTRAINT gold_items_item_fkey FOREIGN KEY (item) REFERENCES past_study.items(n);
ALTER TABLE ONLY past_study.item_dialogues
    ADD CONSTRAINT item_dialogues_dialogue_fkey FOREIGN KEY (dialogue) REFERENCES past_study.dialogues(n);
ALTER TABLE ONLY past_study.item_dialogues
    ADD CONSTRAINT item_dialogues_item_fkey FOREIGN KEY (item) REFERENCES past_study.items(n);
ALTER TABLE ONLY past_study.judged_quotas
    ADD CONSTRAINT judged_quotas_annotator_fkey FOREIGN KEY (annotator) REFERENCES past_study.annotators(n);
ALTER TABLE ONLY past_study.judged_quotas
    ADD CONSTRAINT judged_quotas_quota_fkey FOREIGN KEY (quota) REFERENCES past_study.quotas(n);
ALTER TABLE ONLY past_study.judgment_flags
    ADD CONSTRAINT judgment_flags_judgment_fkey FOREIGN KEY (judgment) REFERENCES past_study.judgments(n);
ALTER TABLE ONLY past_study.judgments
    ADD CONSTRAINT judgments_annotator_fkey FOREIGN KEY (annotator) REFERENCES past_study.annotators(n);
ALTER TABLE ONLY past_study.judgments
    ADD CONSTRAINT judgments_assignment_fkey FOREIGN KEY (assignment) REFERENCES past_study.assignments(n);
ALTER TABLE ONLY past_study.judgments
    ADD CONSTRAINT judgments_item_fkey FOREIGN KEY (item) REFERENCES past_study.items(n);
ALTER TABLE ONLY past_study.judgments
    ADD CONSTRAINT judgments_quota_fkey FOREIGN KEY (quota) REFERENCES past_study.quotas(n);
ALTER TABLE ONLY past_study.judgments
    ADD CONSTRAINT judgments_slot_fkey FOREIGN KEY (slot) REFERENCES past_study.slots(n);
ALTER TABLE ONLY past_study.reason_prints
    ADD CONSTRAINT reason_prints_judgment_fkey FOREIGN KEY (judgment) REFERENCES past_study.judgments(n);
ALTER TABLE ONLY past_study.reasons
    ADD CONSTRAINT reasons_judgment_fkey FOREIGN KEY (judgment) REFERENCES past_study.judgments(n);
ALTER TABLE ONLY past_study.reply_failures
    ADD CONSTRAINT reply_failures_chat_fkey FOREIGN KEY (chat) REFERENCES past_study.chats(n);
ALTER TABLE ONLY past_study.reply_failures
    ADD CONSTRAINT reply_failures_reply_fkey FOREIGN KEY (reply) REFERENCES past_study.wanted_replies(n);
ALTER TABLE ONLY past_study.rules_in_force
    ADD CONSTRAINT rules_in_force_exclusion_fkey FOREIGN KEY (exclusion) REFERENCES past_study.exclusions(n);
ALTER TABLE ONLY past_study.rules_in_force
    ADD CONSTRAINT rules_in_force_judgment_fkey FOREIGN KEY (judgment) REFERENCES past_study.judgments(n);
ALTER TABLE ONLY past_study.seen_dialogues
    ADD CONSTRAINT seen_dialogues_annotator_fkey FOREIGN KEY (annotator) REFERENCES past_study.annotators(n);
ALTER TABLE ONLY past_study.seen_dialogues
    ADD CONSTRAINT seen_dialogues_dialogue_fkey FOREIGN KEY (dialogue) REFERENCES past_study.dialogues(n);
ALTER TABLE ONLY past_study.selections
    ADD CONSTRAINT selections_assignment_fkey FOREIGN KEY (assignment) REFERENCES past_study.assignments(n);
ALTER TABLE ONLY past_study.slots
    ADD CONSTRAINT slots_item_fkey FOREIGN KEY (item) REFERENCES past_study.items(n);
ALTER TABLE ONLY past_study.slots
    ADD CONSTRAINT slots_quota_fkey FOREIGN KEY (quota) REFERENCES past_study.quotas(n);
ALTER TABLE ONLY past_study.tallies
    ADD CONSTRAINT tallies_example_fkey FOREIGN KEY (example) REFERENCES past_study.judgments(n);
ALTER TABLE ONLY past_study.tallies
    ADD CONSTRAINT tallies_quota_fkey FOREIGN KEY (quota) REFERENCES past_study.quotas(n);
ALTER TABLE ONLY past_study.wanted_replies
    ADD CONSTRAINT wanted_replies_chat_fkey FOREIGN KEY (chat) REFERENCES past_study.chats(n);
