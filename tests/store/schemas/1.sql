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
INSERT INTO "annotators" VALUES(1,'1e7d66008fc9dc9f','c58b7235fa085326de18274fdf40696d','90F169D4A5404053','','lab','main','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,'','',NULL,1,1,1,3,0);
INSERT INTO "annotators" VALUES(2,'1df8b9cc1fc292b8','e0884e694c9b13e74964d7f2842f9236','BC800FB2FD4F4380','','lab','main','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,'','',NULL,1,1,1,3,1);
INSERT INTO "annotators" VALUES(3,'c09fbf109035a415','cd5b3f7f0f179eff8e85077152dc07b4','6A8807D4C8DC8DD8','Blocked','lab','','2026-05-01T12:00:00.000000+00:00',NULL,NULL,NULL,NULL,NULL,'researcher','a test',NULL,NULL,0,0,0,0);
INSERT INTO "annotators" VALUES(4,'bb6fdd85949d0da3','dd9c374fa8e2f98db24402892fab7296','8BBEF7B255C8B26B','Waiting','lab','main','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:00:00.000000+00:00',NULL,NULL,NULL,'','',10,1,1,1,0,0);
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
INSERT INTO "assignments" VALUES(1,'b647ea9f717256029df947ddcbc4714a',1,1,NULL,'main','0,1',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00',NULL);
INSERT INTO "assignments" VALUES(2,'e6e13420f737516d977f18db0531f256',1,2,1,'main','1,0',1,2,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(3,'f2d5e925f55dc56e739c1f8807c6f274',1,7,6,'main','0,1',1,3,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(4,'efb6baefdd163609f30a2c6b37c0daff',1,12,11,'main','1,0',1,4,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(5,'4171300f908aa426c0644703493c1dcf',2,1,NULL,'main','1,0',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00',NULL);
INSERT INTO "assignments" VALUES(6,'dbd40905cc76e76f26af7dbc8d6b9407',2,3,2,'main','0,1',1,2,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(7,'bb922325e9f0a72e5492d599b81e1afe',2,6,5,'main','1,0',1,3,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(8,'b07be94a59c053ed29758d67ff89b595',2,13,12,'main','0,1',1,4,4,'judged','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
INSERT INTO "assignments" VALUES(9,'2b4f0473163115ad5606f2880d15ff36',4,1,NULL,'main','0,1',1,1,4,'judged','2026-05-01T12:00:00.000000+00:00',NULL);
INSERT INTO "assignments" VALUES(10,'effdf997af0f537cf6d86a76a56aee7c',4,10,9,'main','1,0',1,2,4,'running','2026-05-01T12:00:00.000000+00:00','2026-05-01T12:30:00.000000+00:00');
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
INSERT INTO "exclusions" VALUES(1,'68aa5882a438c1dd',8,'exclude','slow','a test','me','2026-05-01T12:00:00.000000+00:00');
CREATE TABLE facts (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "facts" VALUES('secret:researcher','c9014c66a4fe2616ea234df91618d4e2');
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
INSERT INTO "judgments" VALUES(1,'ee74bf2d3814793a',1,1,1,NULL,NULL,'main',1,'{"side":1}','0,1',20.0,'visible','key-b647ea9f717256029df947ddcbc4714a','2026-05-01T12:00:00.000000+00:00',1,1);
INSERT INTO "judgments" VALUES(2,'8cbd3a23a10c4417',2,1,2,1,1,'main',1,'{"side":1}','1,0',20.0,'visible','key-e6e13420f737516d977f18db0531f256','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(3,'0fb6a5875b30c68f',3,1,7,6,2,'main',1,'{"side":1}','0,1',20.0,'visible','key-f2d5e925f55dc56e739c1f8807c6f274','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(4,'b22d319d360ce0d4',4,1,12,11,3,'main',1,'{"side":1}','1,0',20.0,'visible','key-efb6baefdd163609f30a2c6b37c0daff','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(5,'3860c19760616c70',5,2,1,NULL,NULL,'main',1,'{"side":1}','1,0',20.0,'visible','key-4171300f908aa426c0644703493c1dcf','2026-05-01T12:00:00.000000+00:00',1,1);
INSERT INTO "judgments" VALUES(6,'740645dec510a4f5',6,2,3,2,1,'main',1,'{"side":1}','0,1',20.0,'visible','key-dbd40905cc76e76f26af7dbc8d6b9407','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(7,'c723575688a8ae5d',7,2,6,5,2,'main',1,'{"side":1}','1,0',20.0,'visible','key-bb922325e9f0a72e5492d599b81e1afe','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(8,'462a953715803cba',8,2,13,12,3,'main',1,'{"side":1}','0,1',20.0,'visible','key-b07be94a59c053ed29758d67ff89b595','2026-05-01T12:00:00.000000+00:00',0,NULL);
INSERT INTO "judgments" VALUES(9,'270ad1ef76c54db3',9,4,1,NULL,NULL,'main',1,'{"side":1}','0,1',20.0,'visible','key-2b4f0473163115ad5606f2880d15ff36','2026-05-01T12:00:00.000000+00:00',1,1);
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
	done INTEGER DEFAULT '0' NOT NULL, 
	leased INTEGER DEFAULT '0' NOT NULL, 
	excluded INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (n), 
	UNIQUE (arm, group_name)
);
INSERT INTO "quotas" VALUES(1,'main','A__vs__B',1,4,2,0,0);
INSERT INTO "quotas" VALUES(2,'main','A__vs__C',1,4,2,0,0);
INSERT INTO "quotas" VALUES(3,'main','B__vs__C',1,4,1,1,1);
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
INSERT INTO "slots" VALUES(1,1,2,0,1,'done',1,'1,0',NULL,2);
INSERT INTO "slots" VALUES(2,1,3,0,2,'done',1,'0,1',NULL,6);
INSERT INTO "slots" VALUES(3,1,4,0,3,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(4,1,5,0,4,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(5,2,6,0,1,'done',1,'1,0',NULL,7);
INSERT INTO "slots" VALUES(6,2,7,0,2,'done',1,'0,1',NULL,3);
INSERT INTO "slots" VALUES(7,2,8,0,3,'free',1,'1,0',NULL,NULL);
INSERT INTO "slots" VALUES(8,2,9,0,4,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(9,3,10,0,1,'leased',1,'1,0',10,NULL);
INSERT INTO "slots" VALUES(10,3,11,0,2,'free',1,'0,1',NULL,NULL);
INSERT INTO "slots" VALUES(11,3,12,0,3,'done',1,'1,0',NULL,4);
INSERT INTO "slots" VALUES(12,3,13,0,4,'free',1,'0,1',NULL,NULL);
CREATE INDEX slots_to_hand_out ON slots (quota, state, position);
CREATE UNIQUE INDEX one_assignment_in_hand ON assignments (annotator) WHERE state = 'running';
CREATE INDEX leases_by_expiry ON assignments (expires_at) WHERE state = 'running';
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
