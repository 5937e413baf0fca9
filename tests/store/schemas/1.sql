BEGIN TRANSACTION;
CREATE TABLE annotator_events (
	n INTEGER NOT NULL, 
	annotator INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (n), 
	FOREIGN KEY(annotator) REFERENCES annotators (n)
);
INSERT INTO "annotator_events" VALUES(1,3,'block','a test','me','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE annotators (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	token TEXT NOT NULL, 
	code TEXT NOT NULL, 
	label TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	arm TEXT DEFAULT '' NOT NULL, 
	invited_at TEXT, 
	consented_at TEXT, 
	last_seen TEXT, 
	finished_at TEXT, 
	revoked_at TEXT, 
	withdrawn_at TEXT, 
	block TEXT DEFAULT '' NOT NULL, 
	block_reason TEXT DEFAULT '' NOT NULL, 
	assignment INTEGER, 
	onboarding_wanted INTEGER, 
	onboarding_asked INTEGER DEFAULT '0' NOT NULL, 
	onboarding_right INTEGER DEFAULT '0' NOT NULL, 
	judged INTEGER DEFAULT '0' NOT NULL, 
	excluded INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id), 
	UNIQUE (token)
);
INSERT INTO "annotators" VALUES(1,'e924aa08f0335e0b','8054952e54b5c037f484226de84d440e','8DBA3740A412BDFF','','lab','main','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,'','',NULL,1,1,1,3,0);
INSERT INTO "annotators" VALUES(2,'fb85f29b62dab356','3e5b3a9722965616474b9f91a1df8af9','8DE5A0F805784A99','','lab','main','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,'','',NULL,1,1,1,3,1);
INSERT INTO "annotators" VALUES(3,'d5d23acff1bfeeae','3e370ffda08ad198d8aaa0c239eed679','77847B7DD5C87DD4','Blocked','lab','','2026-05-01T12:00:00.000000+00:00',NULL,NULL,NULL,NULL,NULL,'researcher','a test',NULL,NULL,0,0,0,0);
INSERT INTO "annotators" VALUES(4,'404fbf2e2ac54a9c','f99dde63db0370843c9a1322297054f3','F5684C2AF003ED7D','Waiting','lab','main','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,NULL,'','',10,1,1,1,0,0);
CREATE TABLE arms (
	name TEXT NOT NULL, 
	annotators INTEGER DEFAULT '0' NOT NULL, 
	groups_open INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "arms" VALUES('main',3,3);
CREATE TABLE assignments (
	n INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	annotator INTEGER NOT NULL, 
	item INTEGER NOT NULL, 
	slot INTEGER, 
	arm TEXT NOT NULL, 
	shown TEXT NOT NULL, 
	revision INTEGER DEFAULT '0' NOT NULL, 
	number INTEGER DEFAULT '0' NOT NULL, 
	total INTEGER DEFAULT '0' NOT NULL, 
	state TEXT NOT NULL, 
	leased_at TEXT NOT NULL, 
	expires_at TEXT, 
	PRIMARY KEY (n), 
	UNIQUE (annotator, item), 
	UNIQUE ("key"), 
	FOREIGN KEY(annotator) REFERENCES annotators (n), 
	FOREIGN KEY(item) REFERENCES items (n), 
	FOREIGN KEY(slot) REFERENCES slots (n)
);
INSERT INTO "assignments" VALUES(1,'18ead8d3cda4881b43966ca5cec3e3f7',1,1,NULL,'main','0,1',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00',NULL);
INSERT INTO "assignments" VALUES(2,'3b272985bd33a05070a9180df4faa828',1,2,1,'main','0,1',1,2,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(3,'0ef8b3768c034e0d198adbfb0fd6fa92',1,7,6,'main','0,1',1,3,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(4,'fde468f84c86a6198ad539bdd55e37d8',1,12,11,'main','1,0',1,4,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(5,'cded834478b4f9b9171f268e9bc6bbcd',2,1,NULL,'main','1,0',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00',NULL);
INSERT INTO "assignments" VALUES(6,'5f6c814eb5bba4190eb08e0a367a1278',2,3,2,'main','1,0',1,2,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(7,'56d4332aeb523e4e7855e2d3ac03cb51',2,6,5,'main','1,0',1,3,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(8,'fa01145e394c59d28000b542bf19e852',2,13,12,'main','0,1',1,4,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(9,'1996ac78f9e904c492954bc670e1b004',4,1,NULL,'main','1,0',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00',NULL);
INSERT INTO "assignments" VALUES(10,'2f114220f41a909743ba66143fd2e5bd',4,10,9,'main','0,1',1,2,4,'running','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
CREATE TABLE dialogues (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	bot TEXT NOT NULL, 
	content_hash TEXT NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id)
);
INSERT INTO "dialogues" VALUES(1,'A-0','A','3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea','{"id":"A-0","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(2,'A-1','A','3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea','{"id":"A-1","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(3,'A-2','A','3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea','{"id":"A-2","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(4,'A-3','A','3889d10b128d21fb5c6eba28d7e87d8a726ad384615471fa01083c6b5e6187ea','{"id":"A-3","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(5,'B-0','B','abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f','{"id":"B-0","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(6,'B-1','B','abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f','{"id":"B-1","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(7,'B-2','B','abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f','{"id":"B-2","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(8,'B-3','B','abf8399ba1b617ce826100f0bd79ec439115a4af4ddd661006a6af1c2539072f','{"id":"B-3","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(9,'C-0','C','b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248','{"id":"C-0","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(10,'C-1','C','b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248','{"id":"C-1","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(11,'C-2','C','b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248','{"id":"C-2","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(12,'C-3','C','b550f6fb50807cdceb0f836e1e284172bafd00f4e7ad96ee72c413e76bc10248','{"id":"C-3","bot":"C","kind":"self-chat","judged":"she","speakers":[["she","C"],["he",null]],"turns":[["she","Hello!",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(13,'A-gold0','A','a5a06c45abbdf8ecea0e76d38300fada9c4c781eb9fbb91099f0d2a024eefd2b','{"id":"A-gold0","bot":"A","kind":"self-chat","judged":"she","speakers":[["she","A"],["he",null]],"turns":[["she","A pleasure to meet you.",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
INSERT INTO "dialogues" VALUES(14,'B-gold0','B','678a0567df0dd3bf80181b313f17019a61a61ed9071666bdcc386c638ee7f6f9','{"id":"B-gold0","bot":"B","kind":"self-chat","judged":"she","speakers":[["she","B"],["he",null]],"turns":[["she","no no no no",null,{}],["he","Well, hello.",null,{}]],"context":[],"extras":{}}');
CREATE TABLE exclusions (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	judgment INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	rule TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id), 
	FOREIGN KEY(judgment) REFERENCES judgments (n)
);
INSERT INTO "exclusions" VALUES(1,'9496f5dcf781557a',8,'exclude','slow','a test','me','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE facts (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "facts" VALUES('secret:researcher','9a00cf0a2a0e150b99980328f3e7107a');
INSERT INTO "facts" VALUES('mark:rehearsal','no');
CREATE TABLE item_dialogues (
	item INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	dialogue INTEGER NOT NULL, 
	PRIMARY KEY (item, place), 
	FOREIGN KEY(item) REFERENCES items (n), 
	FOREIGN KEY(dialogue) REFERENCES dialogues (n)
)
 WITHOUT ROWID

;
INSERT INTO "item_dialogues" VALUES(1,0,13);
INSERT INTO "item_dialogues" VALUES(1,1,14);
INSERT INTO "item_dialogues" VALUES(2,0,1);
INSERT INTO "item_dialogues" VALUES(2,1,5);
INSERT INTO "item_dialogues" VALUES(3,0,2);
INSERT INTO "item_dialogues" VALUES(3,1,6);
INSERT INTO "item_dialogues" VALUES(4,0,3);
INSERT INTO "item_dialogues" VALUES(4,1,7);
INSERT INTO "item_dialogues" VALUES(5,0,4);
INSERT INTO "item_dialogues" VALUES(5,1,8);
INSERT INTO "item_dialogues" VALUES(6,0,1);
INSERT INTO "item_dialogues" VALUES(6,1,9);
INSERT INTO "item_dialogues" VALUES(7,0,2);
INSERT INTO "item_dialogues" VALUES(7,1,10);
INSERT INTO "item_dialogues" VALUES(8,0,3);
INSERT INTO "item_dialogues" VALUES(8,1,11);
INSERT INTO "item_dialogues" VALUES(9,0,4);
INSERT INTO "item_dialogues" VALUES(9,1,12);
INSERT INTO "item_dialogues" VALUES(10,0,5);
INSERT INTO "item_dialogues" VALUES(10,1,9);
INSERT INTO "item_dialogues" VALUES(11,0,6);
INSERT INTO "item_dialogues" VALUES(11,1,10);
INSERT INTO "item_dialogues" VALUES(12,0,7);
INSERT INTO "item_dialogues" VALUES(12,1,11);
INSERT INTO "item_dialogues" VALUES(13,0,8);
INSERT INTO "item_dialogues" VALUES(13,1,12);
CREATE TABLE items (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	group_name TEXT NOT NULL, 
	is_onboarding BOOLEAN NOT NULL, 
	is_retired BOOLEAN DEFAULT false NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (id)
);
INSERT INTO "items" VALUES(1,'A-gold0:B-gold0','A__vs__B',1,0,'{"id":"A-gold0:B-gold0","group":"A__vs__B","bots":["A","B"],"dialogues":["A-gold0","B-gold0"],"judged":["she","she"],"is_onboarding":true,"gold":0,"extras":{}}');
INSERT INTO "items" VALUES(2,'A-0:B-0','A__vs__B',0,0,'{"id":"A-0:B-0","group":"A__vs__B","bots":["A","B"],"dialogues":["A-0","B-0"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(3,'A-1:B-1','A__vs__B',0,0,'{"id":"A-1:B-1","group":"A__vs__B","bots":["A","B"],"dialogues":["A-1","B-1"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(4,'A-2:B-2','A__vs__B',0,0,'{"id":"A-2:B-2","group":"A__vs__B","bots":["A","B"],"dialogues":["A-2","B-2"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(5,'A-3:B-3','A__vs__B',0,0,'{"id":"A-3:B-3","group":"A__vs__B","bots":["A","B"],"dialogues":["A-3","B-3"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(6,'A-0:C-0','A__vs__C',0,0,'{"id":"A-0:C-0","group":"A__vs__C","bots":["A","C"],"dialogues":["A-0","C-0"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(7,'A-1:C-1','A__vs__C',0,0,'{"id":"A-1:C-1","group":"A__vs__C","bots":["A","C"],"dialogues":["A-1","C-1"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(8,'A-2:C-2','A__vs__C',0,0,'{"id":"A-2:C-2","group":"A__vs__C","bots":["A","C"],"dialogues":["A-2","C-2"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(9,'A-3:C-3','A__vs__C',0,0,'{"id":"A-3:C-3","group":"A__vs__C","bots":["A","C"],"dialogues":["A-3","C-3"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(10,'B-0:C-0','B__vs__C',0,0,'{"id":"B-0:C-0","group":"B__vs__C","bots":["B","C"],"dialogues":["B-0","C-0"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(11,'B-1:C-1','B__vs__C',0,0,'{"id":"B-1:C-1","group":"B__vs__C","bots":["B","C"],"dialogues":["B-1","C-1"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(12,'B-2:C-2','B__vs__C',0,0,'{"id":"B-2:C-2","group":"B__vs__C","bots":["B","C"],"dialogues":["B-2","C-2"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
INSERT INTO "items" VALUES(13,'B-3:C-3','B__vs__C',0,0,'{"id":"B-3:C-3","group":"B__vs__C","bots":["B","C"],"dialogues":["B-3","C-3"],"judged":["she","she"],"is_onboarding":false,"gold":null,"extras":{}}');
CREATE TABLE judged_quotas (
	annotator INTEGER NOT NULL, 
	quota INTEGER NOT NULL, 
	judged INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (annotator, quota), 
	FOREIGN KEY(annotator) REFERENCES annotators (n), 
	FOREIGN KEY(quota) REFERENCES quotas (n)
)
 WITHOUT ROWID

;
INSERT INTO "judged_quotas" VALUES(1,1,1);
INSERT INTO "judged_quotas" VALUES(1,2,1);
INSERT INTO "judged_quotas" VALUES(1,3,1);
INSERT INTO "judged_quotas" VALUES(2,1,1);
INSERT INTO "judged_quotas" VALUES(2,2,1);
INSERT INTO "judged_quotas" VALUES(2,3,1);
CREATE TABLE judgments (
	n INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	assignment INTEGER NOT NULL, 
	annotator INTEGER NOT NULL, 
	item INTEGER NOT NULL, 
	slot INTEGER, 
	quota INTEGER, 
	arm TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	answer TEXT NOT NULL, 
	shown TEXT NOT NULL, 
	seconds FLOAT NOT NULL, 
	seconds_kind TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	at TEXT NOT NULL, 
	is_onboarding BOOLEAN NOT NULL, 
	is_correct BOOLEAN, 
	PRIMARY KEY (n), 
	UNIQUE (id), 
	UNIQUE (assignment), 
	FOREIGN KEY(assignment) REFERENCES assignments (n), 
	FOREIGN KEY(annotator) REFERENCES annotators (n), 
	FOREIGN KEY(item) REFERENCES items (n), 
	FOREIGN KEY(slot) REFERENCES slots (n), 
	FOREIGN KEY(quota) REFERENCES quotas (n)
);
INSERT INTO "judgments" VALUES(1,'162e4debd333b983',1,1,1,NULL,NULL,'main',1,'{"side":1}','0,1',20.0,'visible','key-18ead8d3cda4881b43966ca5cec3e3f7','2026-05-01T12:00:00.000000+00:00',1,1);
INSERT INTO "judgments" VALUES(2,'ea9d130c959d65c8',2,1,2,1,1,'main',1,'{"side":1}','0,1',20.0,'visible','key-3b272985bd33a05070a9180df4faa828','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(3,'9511ee05fad9d8a3',3,1,7,6,2,'main',1,'{"side":1}','0,1',20.0,'visible','key-0ef8b3768c034e0d198adbfb0fd6fa92','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(4,'7fb034d812378b7a',4,1,12,11,3,'main',1,'{"side":1}','1,0',20.0,'visible','key-fde468f84c86a6198ad539bdd55e37d8','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(5,'7d6e1d0e57794194',5,2,1,NULL,NULL,'main',1,'{"side":1}','1,0',20.0,'visible','key-cded834478b4f9b9171f268e9bc6bbcd','2026-05-01T12:00:00.000000+00:00',1,1);
INSERT INTO "judgments" VALUES(6,'cb2c6baa104f0e38',6,2,3,2,1,'main',1,'{"side":1}','1,0',20.0,'visible','key-5f6c814eb5bba4190eb08e0a367a1278','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(7,'acfdd69a6e67f119',7,2,6,5,2,'main',1,'{"side":1}','1,0',20.0,'visible','key-56d4332aeb523e4e7855e2d3ac03cb51','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(8,'16f7118899840520',8,2,13,12,3,'main',1,'{"side":1}','0,1',20.0,'visible','key-fa01145e394c59d28000b542bf19e852','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(9,'5091441e2fce7db5',9,4,1,NULL,NULL,'main',1,'{"side":1}','1,0',20.0,'visible','key-1996ac78f9e904c492954bc670e1b004','2026-05-01T12:00:00.000000+00:00',1,1);
CREATE TABLE migrations (
	number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "migrations" VALUES(1,'made whole','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE onboarding_items (
	item INTEGER NOT NULL, 
	handed INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (item), 
	FOREIGN KEY(item) REFERENCES items (n)
)
 WITHOUT ROWID

;
INSERT INTO "onboarding_items" VALUES(1,3);
CREATE TABLE quotas (
	n INTEGER NOT NULL, 
	arm TEXT NOT NULL, 
	group_name TEXT NOT NULL, 
	is_wanted BOOLEAN DEFAULT true NOT NULL, 
	wanted INTEGER DEFAULT '0' NOT NULL, 
	free INTEGER DEFAULT '0' NOT NULL, 
	leased INTEGER DEFAULT '0' NOT NULL, 
	done INTEGER DEFAULT '0' NOT NULL, 
	excluded INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (arm, group_name)
);
INSERT INTO "quotas" VALUES(1,'main','A__vs__B',1,4,2,0,2,0);
INSERT INTO "quotas" VALUES(2,'main','A__vs__C',1,4,2,0,2,0);
INSERT INTO "quotas" VALUES(3,'main','B__vs__C',1,4,2,1,1,1);
CREATE TABLE reasons (
	judgment INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (judgment), 
	FOREIGN KEY(judgment) REFERENCES judgments (n)
);
INSERT INTO "reasons" VALUES(1,'So.');
INSERT INTO "reasons" VALUES(2,'So.');
INSERT INTO "reasons" VALUES(3,'So.');
INSERT INTO "reasons" VALUES(4,'So.');
INSERT INTO "reasons" VALUES(5,'So.');
INSERT INTO "reasons" VALUES(6,'So.');
INSERT INTO "reasons" VALUES(7,'So.');
INSERT INTO "reasons" VALUES(8,'So.');
INSERT INTO "reasons" VALUES(9,'So.');
CREATE TABLE revisions (
	number INTEGER NOT NULL, 
	design_hash TEXT NOT NULL, 
	text TEXT NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "revisions" VALUES(1,'hash','the study file','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE rules_in_force (
	judgment INTEGER NOT NULL, 
	rule TEXT NOT NULL, 
	exclusion INTEGER NOT NULL, 
	PRIMARY KEY (judgment, rule), 
	FOREIGN KEY(judgment) REFERENCES judgments (n), 
	FOREIGN KEY(exclusion) REFERENCES exclusions (n)
)
 WITHOUT ROWID

;
INSERT INTO "rules_in_force" VALUES(8,'slow',1);
CREATE TABLE seen_dialogues (
	annotator INTEGER NOT NULL, 
	dialogue INTEGER NOT NULL, 
	PRIMARY KEY (annotator, dialogue), 
	FOREIGN KEY(annotator) REFERENCES annotators (n), 
	FOREIGN KEY(dialogue) REFERENCES dialogues (n)
)
 WITHOUT ROWID

;
INSERT INTO "seen_dialogues" VALUES(1,1);
INSERT INTO "seen_dialogues" VALUES(1,2);
INSERT INTO "seen_dialogues" VALUES(1,5);
INSERT INTO "seen_dialogues" VALUES(1,7);
INSERT INTO "seen_dialogues" VALUES(1,10);
INSERT INTO "seen_dialogues" VALUES(1,11);
INSERT INTO "seen_dialogues" VALUES(1,13);
INSERT INTO "seen_dialogues" VALUES(1,14);
INSERT INTO "seen_dialogues" VALUES(2,1);
INSERT INTO "seen_dialogues" VALUES(2,2);
INSERT INTO "seen_dialogues" VALUES(2,6);
INSERT INTO "seen_dialogues" VALUES(2,8);
INSERT INTO "seen_dialogues" VALUES(2,9);
INSERT INTO "seen_dialogues" VALUES(2,12);
INSERT INTO "seen_dialogues" VALUES(2,13);
INSERT INTO "seen_dialogues" VALUES(2,14);
INSERT INTO "seen_dialogues" VALUES(4,5);
INSERT INTO "seen_dialogues" VALUES(4,9);
INSERT INTO "seen_dialogues" VALUES(4,13);
INSERT INTO "seen_dialogues" VALUES(4,14);
CREATE TABLE slots (
	n INTEGER NOT NULL, 
	quota INTEGER NOT NULL, 
	item INTEGER NOT NULL, 
	copy INTEGER DEFAULT '0' NOT NULL, 
	position BIGINT NOT NULL, 
	state TEXT DEFAULT 'free' NOT NULL, 
	is_wanted BOOLEAN DEFAULT true NOT NULL, 
	shown TEXT NOT NULL, 
	assignment INTEGER, 
	judgment INTEGER, 
	PRIMARY KEY (n), 
	UNIQUE (item, quota, copy), 
	FOREIGN KEY(quota) REFERENCES quotas (n), 
	FOREIGN KEY(item) REFERENCES items (n)
);
INSERT INTO "slots" VALUES(1,1,2,0,1,'done',1,'0,1',NULL,2);
INSERT INTO "slots" VALUES(2,1,3,0,2,'done',1,'1,0',NULL,6);
INSERT INTO "slots" VALUES(3,1,4,0,3,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(4,1,5,0,4,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(5,2,6,0,1,'done',1,'1,0',NULL,7);
INSERT INTO "slots" VALUES(6,2,7,0,2,'done',1,'0,1',NULL,3);
INSERT INTO "slots" VALUES(7,2,8,0,3,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(8,2,9,0,4,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(9,3,10,0,1,'leased',1,'0,1',10,NULL);
INSERT INTO "slots" VALUES(10,3,11,0,2,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(11,3,12,0,3,'done',1,'1,0',NULL,4);
INSERT INTO "slots" VALUES(12,3,13,0,4,'free',1,'0,1',NULL,NULL);
CREATE INDEX quotas_to_fill ON quotas (arm, free DESC, n);
CREATE INDEX slots_to_hand_out ON slots (quota, state, position);
CREATE INDEX leases_by_expiry ON assignments (expires_at) WHERE state = 'running';
CREATE UNIQUE INDEX one_assignment_in_hand ON assignments (annotator) WHERE state = 'running';
CREATE UNIQUE INDEX one_lease_of_a_slot ON assignments (slot) WHERE state = 'running';
CREATE INDEX judgments_by_annotator ON judgments (annotator, is_onboarding, seconds);
CREATE TRIGGER judgments_never_update BEFORE update ON judgments
BEGIN SELECT RAISE(ABORT, 'judgments are append-only'); END;
CREATE TRIGGER judgments_never_delete BEFORE delete ON judgments
BEGIN SELECT RAISE(ABORT, 'judgments are append-only'); END;
CREATE TRIGGER exclusions_never_update BEFORE update ON exclusions
BEGIN SELECT RAISE(ABORT, 'exclusions are append-only'); END;
CREATE TRIGGER exclusions_never_delete BEFORE delete ON exclusions
BEGIN SELECT RAISE(ABORT, 'exclusions are append-only'); END;
COMMIT;
